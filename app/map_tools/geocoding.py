"""Addresses that a Nominatim server placed, kept for good: the same answers are placed the same way for ever.

Reads and writes `geocoded_address`; commits each address, so that what was asked for is never asked for again.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Held
from app.core.identity import canonical_json
from app.map_tools import queries
from app.map_tools.nominatim import LONGEST_ADDRESS, NominatimClient

Progress = Callable[[int, int], None]
"""Told (addresses asked for, addresses to ask for)."""
LICENCE = "ODbL-1.0"


@dataclass(frozen=True)
class Geocoded:
    """What was done for some addresses: distinct ones, those known already, those asked for, and requests made."""

    addresses: int
    cached: int
    asked: int
    requests: int

    def as_json(self) -> dict[str, Any]:
        """As `run rescore --json` prints it."""
        return asdict(self)


def address_key(address: str) -> str:
    """An address as it is asked for and kept: blanks made one, at most LONGEST_ADDRESS characters; "" for no words."""
    words = " ".join("".join(c if c.isprintable() else " " for c in address).split())[
        :LONGEST_ADDRESS
    ].strip()
    return words if any(map(str.isalnum, words)) else ""


def geocode(
    connection: Connection,
    client: NominatimClient,
    clock: Clock,
    addresses: Sequence[str],
    progress: Progress,
) -> Geocoded:
    """Ask for every address that was never asked for, one at a time, and keep what is answered, "not found" too.

    An address without words is not asked for: it has no place. Raises Held while another process asks the same
    server, and what the client raises; what was answered before is kept.
    """
    keys = list(dict.fromkeys(key for address in addresses if (key := address_key(address))))
    with _alone(connection, client.base):
        known = kept_places(connection, client.base, keys)
        connection.rollback()
        due = [key for key in keys if key not in known]
        for number, key in enumerate(due):
            progress(number, len(due))
            _ask(connection, client, clock, key)
        progress(len(due), len(due))
    return Geocoded(len(keys), len(known), len(due), client.requests)


def kept_places(
    connection: Connection, base: str, keys: Sequence[str]
) -> dict[str, tuple[float, float] | None]:
    """(lon, lat) of each key that was asked for, None where the server knew none; in one statement."""
    rows = connection.execute(queries.KEPT_PLACES, {"source_url": base, "addresses": list(keys)})
    return {row.address: None if row.lon is None else (row.lon, row.lat) for row in rows}


def _ask(connection: Connection, client: NominatimClient, clock: Clock, key: str) -> None:
    found = client.place(key)
    connection.execute(
        queries.KEEP_PLACE,
        {
            "source_url": client.base,
            "address": key,
            "request_url": client.url,
            "retrieved_at": clock.now(),
            "lon": found.lon if found else None,
            "lat": found.lat if found else None,
            "result": canonical_json(_storable(found.result)) if found else None,
            "licence": LICENCE,
        },
    )
    connection.commit()


def _storable(result: dict[str, Any]) -> dict[str, Any]:
    """What tells which place was meant; texts without what PostgreSQL cannot hold."""
    named = ("osm_type", "osm_id", "category", "type", "place_rank", "display_name", "licence")
    plain = {name: result[name] for name in named if isinstance(result.get(name), str | int)}
    return {
        name: value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
        if isinstance(value, str)
        else value
        for name, value in plain.items()
    }


@contextmanager
def _alone(connection: Connection, base: str) -> Iterator[None]:
    """One process at a time asks a server, so that its pace is kept; a killed one lets go."""
    alone: bool = connection.execute(queries.TRY_LOCK_GEOCODER, {"source_url": base}).scalar_one()
    connection.commit()
    if not alone:
        raise Held(
            f"Another process is asking {base} for places; give the same command again when it has finished."
        )
    try:
        yield
    finally:
        connection.rollback()
        connection.execute(queries.UNLOCK_GEOCODER, {"source_url": base})
        connection.commit()
