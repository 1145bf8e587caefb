"""Import stage: what changed between two snapshots of a region, by OSM id and content hash. Reads both, writes
trigpoint.snapshot_comparison and snapshot_change in one transaction; made once for a pair, dropped with either map.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from typing import Any, NamedTuple

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from app.core.clock import Clock
from app.core.errors import Conflict, NotFound, UsageError
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.naming import snapshot_reference
from app.db.raw import connect_raw
from osm_import import comparing_queries
from osm_import.attempts import ALIKE_SINCE, AREAS_SINCE, NETWORK_SINCE, one_sentence
from osm_import.gating import LEAST_COMMON, judge, judge_contents
from osm_import.measuring import Ground, LayerFigures, SharedGround, measure, share_ground
from osm_import.tag_tables import NETWORK_LAYERS

log = get_logger(__name__)

MOVED_METRES = 10.0
"""A line or an area whose centre is farther away is moved, else reshaped."""
COUNTED = ("old", "new", "changed", "added", "removed", "moved", "retagged", "reshaped")

Counts = Mapping[str, Mapping[str, Mapping[str, int]]]
"""{layer: {class: {old, new, changed, added, removed, moved, retagged, reshaped}}}"""


class Comparable(NamedTuple):
    """A snapshot that is whole: published, or held."""

    id: int
    name: str
    schema: str
    state: str
    timestamp: datetime | None
    layer_schema: int
    layers: dict[str, Any]
    outline_source: str
    outline: str | None

    @property
    def reference(self) -> str:
        """`name@timestamp`."""
        return snapshot_reference(self.name, self.timestamp)

    @property
    def ground(self) -> Ground:
        """Where it lies."""
        return Ground(self.schema, self.outline_source, self.outline)


class Comparison(NamedTuple):
    """What changed from one snapshot to another."""

    id: int
    old: str
    new: str
    counts: Counts
    """An object whose class changed counts under its new class; one that is gone under its last."""
    figures: dict[str, Any]
    """{old, new: {layer: LayerFigures}, ground}, as stored."""
    suspicious: list[str]
    """What the gate would say of `new` after `old`."""
    reused: bool

    def by_layer(self) -> dict[str, dict[str, int]]:
        """The counts summed by layer."""
        return {
            layer: {key: sum(one[key] for one in classes.values()) for key in COUNTED}
            for layer, classes in self.counts.items()
        }

    def as_json(self) -> dict[str, Any]:
        """The result of `trigpoint snapshot compare --json`."""
        return {
            "old": self.old,
            "new": self.new,
            "layers": self.by_layer(),
            "classes": self.counts,
            "figures": self.figures,
            "suspicious": self.suspicious,
            "reused": self.reused,
        }


def compare_snapshots(settings: Settings, old: str, new: str, clock: Clock) -> Comparison:
    """Compare two snapshots, given as name, name@timestamp or schema; what was compared before is read again.

    Raises NotFound where there is no such map, UsageError or Conflict where the two cannot be compared.
    """
    with (
        one_sentence(f"{old} and {new}", "compare"),
        closing(connect_raw(settings, Role.OWNER)) as connection,
    ):
        before, after = (_find(connection, reference) for reference in (old, new))
        _refuse_unlike(before, after)
        for one in sorted((before, after), key=lambda one: one.id):
            _pin(connection, one)
        ground = share_ground(connection, before.ground, after.ground)
        _refuse_elsewhere(before, after, ground)
        comparison = _compare(connection, before, after, ground, clock)
        connection.commit()
    return comparison


def _find(connection: psycopg.Connection[Any], reference: str) -> Comparable:
    there = [Comparable(*row) for row in connection.execute(comparing_queries.COMPARABLE)]
    for one in there:
        if reference in (one.name, one.reference, one.schema):
            return one
    known = ", ".join(one.reference for one in there[:10])
    raise NotFound(
        f"There is no snapshot {reference!r}. "
        + (f"There are: {known}." if known else "Import one with `trigpoint import`.")
    )


def _refuse_unlike(old: Comparable, new: Comparable) -> None:
    if old.id == new.id:
        raise UsageError(f"{old.reference} and {new.reference} are the same snapshot. Name two.")
    if old.layer_schema != new.layer_schema and min(old.layer_schema, new.layer_schema) < ALIKE_SINCE:
        older = min(old, new, key=lambda one: one.layer_schema)
        raise Conflict(
            f"{old.reference} is of layer schema {old.layer_schema}, {new.reference} of {new.layer_schema}: "
            f"their rows are not made alike. Import the file of {older.reference} again."
        )
    for one, other in ((old, new), (new, old)):
        lacking = sorted({*other.layers} - {*one.layers} - _unknown_to(one))
        if lacking:
            raise Conflict(
                f"{one.reference} lacks {', '.join(lacking)}, which {other.reference} has. "
                f"Import both with the same --layers: {','.join(sorted({*one.layers, *other.layers}))}."
            )
    if old.timestamp and new.timestamp and new.timestamp < old.timestamp:
        raise Conflict(
            f"{new.reference} is older than {old.reference}. Give the older map first: "
            f"trigpoint snapshot compare {new.reference} {old.reference}"
        )


def _unknown_to(one: Comparable) -> set[str]:
    """The layers that no map of its layer schema has."""
    grounds = {"poi_area"} if one.layer_schema < AREAS_SINCE else set()
    return grounds | ({*NETWORK_LAYERS} if one.layer_schema < NETWORK_SINCE else set())


def _refuse_elsewhere(old: Comparable, new: Comparable, ground: SharedGround) -> None:
    if max(ground.covered, ground.common) < LEAST_COMMON:
        raise Conflict(
            f"{old.reference} and {new.reference} are maps of different regions: of their {ground.of} of "
            f"{ground.old_km2:,.1f} and {ground.new_km2:,.1f} km² they share {ground.both_km2:,.1f} km². "
            "Compare two maps of one region."
        )


def _pin(connection: psycopg.Connection[Any], one: Comparable) -> None:
    """Until the transaction ends, nobody drops it."""
    connection.execute(comparing_queries.PIN, {"id": one.id})
    row = connection.execute(comparing_queries.STATE, {"id": one.id}).fetchone()
    if row is None or row[0] == "dropped":
        raise NotFound(f"Snapshot {one.reference} was dropped just now. Import it again.")


def _compare(
    connection: psycopg.Connection[Any], old: Comparable, new: Comparable, ground: SharedGround, clock: Clock
) -> Comparison:
    pair = {"old_id": old.id, "new_id": new.id}
    begun = connection.execute(comparing_queries.BEGIN_COMPARISON, {**pair, "now": clock.now()}).fetchone()
    if begun is not None:
        _write(connection, begun[0], old, new, ground)
    found = connection.execute(comparing_queries.FIND_COMPARISON, pair).fetchone()
    if found is None:
        raise Conflict(f"The comparison of {old.reference} and {new.reference} was removed. Try again.")
    comparison_id, counts, figures = found
    suspicious = judge_contents(read_figures(figures["old"]), read_figures(figures["new"]), ground)
    suspicious += judge(old.layers, new.layers)
    return Comparison(
        comparison_id, old.reference, new.reference, counts, figures, suspicious, reused=begun is None
    )


def read_figures(stored: Mapping[str, Any]) -> dict[str, LayerFigures]:
    """One map's figures as a comparison stores them."""
    return {layer: LayerFigures(**one) for layer, one in stored.items()}


def _write(
    connection: psycopg.Connection[Any],
    comparison_id: int,
    old: Comparable,
    new: Comparable,
    ground: SharedGround,
) -> None:
    grounds = "poi_area" in old.layers and "poi_area" in new.layers
    layers = ({*old.layers} & {*new.layers}) - {"poi_area"}
    for layer in sorted(layers):
        connection.execute(
            comparing_queries.insert_changes(layer, old.schema, new.schema, grounds),
            {"comparison_id": comparison_id, "moved_metres": MOVED_METRES},
        )
    measured = {side: measure(connection, one.schema, layers) for side, one in (("old", old), ("new", new))}
    counts = _count(connection, comparison_id, measured)
    figures = {
        **{
            side: {layer: one._asdict() for layer, one in layers.items()} for side, layers in measured.items()
        },
        "ground": ground._asdict(),
    }
    connection.execute(
        comparing_queries.FINISH_COMPARISON,
        {"id": comparison_id, "counts": Jsonb(counts), "figures": Jsonb(figures)},
    )
    log.info("compared", old=old.reference, new=new.reference)


def _count(
    connection: psycopg.Connection[Any],
    comparison_id: int,
    measured: Mapping[str, Mapping[str, LayerFigures]],
) -> dict[str, dict[str, dict[str, int]]]:
    with connection.cursor(row_factory=dict_row) as cursor:
        changes = cursor.execute(comparing_queries.COUNT_CHANGES, {"id": comparison_id}).fetchall()
    told: dict[str, dict[str, Counter[str]]] = {layer: {} for layer in measured["old"]}
    for side, layers in measured.items():
        for layer, one in layers.items():
            for klass, rows in one.classes.items():
                told[layer].setdefault(klass, Counter())[side] = rows
    for row in changes:
        told[row.pop("layer")].setdefault(row.pop("class"), Counter()).update(row)
    return {
        layer: {klass: {key: one[key] for key in COUNTED} for klass, one in sorted(classes.items())}
        for layer, classes in told.items()
    }
