"""Write and count stored facts, in the caller's transaction; needs the worker's role."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.db.naming import map_date
from app.facts import queries
from app.facts.fact import Fact


class Loaded(NamedTuple):
    """What a load changed."""

    added: int
    changed: int
    unchanged: int


def store_file_facts(connection: Connection, facts: Iterable[Fact], snapshot_name: str | None) -> Loaded:
    """Write a file's facts; the same file again changes nothing, not even when a fact was read."""
    connection.exec_driver_sql(queries.LOCK_FACTS)
    there = {
        (row.snapshot_name, row.subject, row.attribute): row.fact_id
        for row in connection.exec_driver_sql(queries.FACTS_OF_FILES)
    }
    rows, added, unchanged = [], 0, 0
    for fact in facts:
        before = there.get((snapshot_name, fact.subject, fact.attribute))
        added += before is None
        if before == fact.id:
            unchanged += 1
        else:
            rows.append({**fact.as_row(), "snapshot_name": snapshot_name})
    if rows:
        connection.exec_driver_sql(queries.WRITE_FACT, rows)
    return Loaded(added, len(rows) - added, unchanged)


class Item(NamedTuple):
    """What Wikidata said of one item, and which of its statements are no facts, and why."""

    id: str
    found: bool
    revision: int | None
    facts: tuple[Fact, ...]
    refused: tuple[str, ...]


def store_items(
    connection: Connection, items: Iterable[Item], source_url: str, retrieved_at: datetime
) -> None:
    """Replace what is stored of these items by what Wikidata says now."""
    connection.exec_driver_sql(queries.LOCK_FACTS)
    found = sorted(items, key=lambda item: item.id)
    connection.exec_driver_sql(queries.FORGET_FACTS_OF_ITEMS, {"items": [item.id for item in found]})
    remembered = [
        {
            "id": item.id,
            "retrieved_at": retrieved_at,
            "source_url": source_url,
            "found": item.found,
            "revision": item.revision,
            "refused": list(item.refused),
        }
        for item in found
    ]
    if remembered:
        connection.exec_driver_sql(queries.REMEMBER_ITEM, remembered)
    rows = [{**fact.as_row(), "snapshot_name": None} for item in found for fact in item.facts]
    if rows:
        connection.exec_driver_sql(queries.WRITE_FACT, rows)


def count_facts(connection: Connection) -> list[dict[str, Any]]:
    """How many facts are stored: {source, credit, attribute, snapshot, facts, oldest, newest}."""
    return [
        {
            "source": row.source,
            "credit": row.credit,
            "attribute": row.attribute,
            "snapshot": row.snapshot_name,
            "facts": row.facts,
            "oldest": map_date(row.oldest),
            "newest": map_date(row.newest),
        }
        for row in connection.exec_driver_sql(queries.COUNTS)
    ]
