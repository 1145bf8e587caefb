"""What differs between a map and the one that takes its place. Reads both, and their comparison."""

from collections import defaultdict
from dataclasses import dataclass, field

from sqlalchemy import Connection

from app.questions.records import SnapshotRef
from app.questions.refresh import queries_touching as queries


@dataclass(frozen=True)
class Pair:
    """A map and the one that takes its place; `comparison_id` is that of what changed."""

    old: SnapshotRef
    new: SnapshotRef
    comparison_id: int

    @property
    def same_outline(self) -> bool:
        """Whether both maps end where the other does, by the same source, to the byte."""
        return (self.old.outline, self.old.outline_source) == (self.new.outline, self.new.outline_source)


@dataclass
class Changed:
    """Keys of objects with another content, or on one map only; all names that any of them has or had."""

    names: set[str]
    by_layer: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    moving: set[str] = field(default_factory=set)
    """Those of them of which name, class or shape differs, and regions."""

    @property
    def keys(self) -> set[str]:
        """All of them."""
        return set().union(*self.by_layer.values())

    @property
    def steady(self) -> set[str]:
        """Those that count where things of a class are counted or measured in a region as they did."""
        return self.keys - self.moving


def read_changed(connection: Connection, pair: Pair) -> Changed:
    """What changed between the two maps."""
    binds = {"comparison_id": pair.comparison_id}
    changed = Changed(set(connection.exec_driver_sql(queries.CHANGED_NAMES, binds).scalars()))
    statement = queries.changed_objects(pair.old.schema, pair.new.schema, pair.old.layers)
    for row in connection.exec_driver_sql(statement, binds):
        changed.by_layer[row.layer].add(row.osm_key)
        if row.layer == "region" or not row.steady:
            changed.moving.add(row.osm_key)
    return changed
