"""Fetch what Wikidata says of a map's places: dated, cached for a stated age, resumable batch by batch.

Reads the snapshot that the connection's search path names; writes `fact` and `wikidata_item`, and commits each batch.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock
from app.facts import queries
from app.facts.fact import is_item
from app.facts.statements import Names, named_items, read_item, read_labels
from app.facts.storing import Item, store_items
from app.facts.wikidata import AT_ONCE, WikidataClient

Progress = Callable[[int, int], None]
"""Told (items asked for, items to ask for)."""


@dataclass
class Fetched:
    """What a fetch did; `cached` items were asked for recently enough, `unreadable` values of tags are no item."""

    items: int = 0
    cached: int = 0
    unreadable: int = 0
    asked: int = 0
    absent: int = 0
    facts: int = 0
    refused: int = 0
    requests: int = 0

    def as_json(self) -> dict[str, Any]:
        """As `facts fetch --json` prints it."""
        return asdict(self)


def fetch_facts(
    connection: Connection, client: WikidataClient, clock: Clock, max_age: timedelta, progress: Progress
) -> Fetched:
    """Ask for every item of the map's places that was not asked for within `max_age`.

    Each batch is committed: a fetch that breaks off goes on with the rest. Raises what the client raises.
    """
    rows = connection.exec_driver_sql(queries.ITEMS_OF_PLACES).all()
    connection.rollback()
    oldest = clock.now() - max_age
    known = [row for row in rows if is_item(row.item)]
    due = [row.item for row in known if row.retrieved_at is None or row.retrieved_at < oldest]
    result = Fetched(items=len(known), cached=len(known) - len(due), unreadable=len(rows) - len(known))
    for start in range(0, len(due), AT_ONCE):
        progress(start, len(due))
        _fetch_batch(connection, client, clock, due[start : start + AT_ONCE], result)
    progress(len(due), len(due))
    result.requests = client.requests
    return result


def _fetch_batch(
    connection: Connection, client: WikidataClient, clock: Clock, batch: Sequence[str], result: Fetched
) -> None:
    entities = client.entities(batch, "info|claims")
    names = _names(client, {item for entity in entities.values() for item in named_items(entity)})
    read_at = clock.now()
    items = [
        read_item(item, entities[item], names, client.pages + item, read_at)
        if item in entities
        else Item(item, False, None, (), ())
        for item in batch
    ]
    store_items(connection, items, client.api, read_at)
    connection.commit()
    result.asked += len(items)
    result.absent += sum(not item.found for item in items)
    result.facts += sum(len(item.facts) for item in items)
    result.refused += sum(len(item.refused) for item in items)


def _names(client: WikidataClient, items: set[str]) -> Names:
    wanted = sorted(items)
    names: dict[str, tuple[str, ...]] = {}
    for start in range(0, len(wanted), AT_ONCE):
        found = client.entities(wanted[start : start + AT_ONCE], "labels|aliases")
        names |= {item: labels for item, entity in found.items() if (labels := read_labels(entity))}
    return names
