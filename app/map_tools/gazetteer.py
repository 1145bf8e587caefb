"""Where an address is, by a snapshot's own addresses, names and regions; what the map does not know has no place.

Names are found by trigrams. Points are lon, lat in degrees; where only the town is known, it is the town's middle.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, text

from app.core.identity import canonical_json
from app.db.naming import quoted
from app.map_tools import queries

LEAST_LIKENESS = 0.6
"""Trigram similarity from which two names are taken for one; "Gasthaus Adler" and "Adler" have 0.4."""


class Sought(NamedTuple):
    """What is known of the address; `name` is what may be the name of a place."""

    street: str | None
    housenumber: str | None
    city: str | None
    name: str | None


def place_addresses(
    connection: Connection, schema: str, sought: Sequence[Sought]
) -> list[tuple[float, float] | None]:
    """(lon, lat) of each address in the snapshot of that schema, None where nothing fits; in one statement.

    The door comes first, then a place of that name, any door of the street, the town; among equals the lower key.
    """
    parts = [part for layer, part in queries.PLACE_BY.items() if _is_there(connection, schema, layer)]
    if not sought or not parts:
        return [None] * len(sought)
    statement = queries.PLACE.replace("{candidates}", "union all".join(parts)).format(schema=quoted(schema))
    rows = [{"number": number, **one._asdict()} for number, one in enumerate(sought)]
    found = connection.execute(text(statement), {"rows": canonical_json(rows), "least": LEAST_LIKENESS})
    places = {row.number: (row.lon, row.lat) for row in found}
    return [places.get(number) for number in range(len(sought))]


def _is_there(connection: Connection, schema: str, layer: str) -> bool:
    relation = {"relation": f"{quoted(schema)}.{layer}"}
    return bool(connection.execute(queries.LAYER_IS_THERE, relation).scalar_one())
