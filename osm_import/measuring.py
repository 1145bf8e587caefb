"""Import stage: what a snapshot amounts to, for the gate and for comparisons. Reads its layers; square km and km on the
spheroid, to the thousandth, so that sums made in another order are equal.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import psycopg

from osm_import import comparing_queries


class LayerFigures(NamedTuple):
    """One layer of one snapshot."""

    rows: int
    km2: float
    km: float
    classes: Mapping[str, int]
    """Rows by class."""
    named: int
    """Rows with a name."""
    top_name: str | None
    """The name that most rows have."""
    top_named: int

    @property
    def top_share(self) -> float:
        """The share of the named rows that have the commonest name."""
        return self.top_named / self.named if self.named else 0.0


Figures = Mapping[str, LayerFigures]
"""By layer."""


class Ground(NamedTuple):
    """Where a snapshot lies: its outline in hexadecimal EWKB, if anybody knows it."""

    schema: str
    outline_source: str
    outline: str | None


class SharedGround(NamedTuple):
    """How far two maps cover the same ground, in square kilometres."""

    of: str
    """`outlines`, or `boxes` of all rows, where the outlines are unknown or not made alike."""
    old_km2: float
    new_km2: float
    both_km2: float

    @property
    def covered(self) -> float:
        """The share of the old ground that is in the new one; 1 where the old one has no extent."""
        return self.both_km2 / self.old_km2 if self.old_km2 else 1.0

    @property
    def common(self) -> float:
        """The share of the new ground that is in the old one; 1 where the new one has no extent."""
        return self.both_km2 / self.new_km2 if self.new_km2 else 1.0


def measure(
    connection: psycopg.Connection[Any], schema: str, layers: Iterable[str]
) -> dict[str, LayerFigures]:
    """The figures of these layers of the snapshot in `schema`."""
    figures = {}
    for layer in sorted({*layers} - {"poi_area"}):  # its rows are those of poi, by their ground
        row = connection.execute(comparing_queries.measure_layer(layer, schema)).fetchone()
        assert row, "an aggregate gives one row"
        rows, square_metres, metres, classes, named, top_name, top_named = row
        figures[layer] = LayerFigures(
            rows, round(square_metres / 1e6, 3), round(metres / 1e3, 3), classes, named, top_name, top_named
        )
    return figures


def share_ground(connection: psycopg.Connection[Any], old: Ground, new: Ground) -> SharedGround:
    """How far two snapshots cover the same ground."""
    binds: dict[str, str | None]
    if old.outline and new.outline and old.outline_source == new.outline_source:
        of, binds = "outlines", {"old": old.outline, "new": new.outline}
    else:
        of, binds = "boxes", {"old": _box(connection, old), "new": _box(connection, new)}
    row = connection.execute(comparing_queries.SHARED_GROUND, binds).fetchone()
    assert row, "an expression gives one row"
    return SharedGround(of, *(round(km2 or 0.0, 3) for km2 in row))


def _box(connection: psycopg.Connection[Any], ground: Ground) -> str | None:
    row = connection.execute(comparing_queries.extent(ground.schema)).fetchone()
    return row[0] if row else None
