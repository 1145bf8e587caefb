"""What differs between a map and the one that takes its place. Reads both, and their comparison."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy import Connection

from app.questions.records import SnapshotRef
from app.questions.refresh import queries_touching as queries
from app.questions.refresh.dependencies import Heed


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
    """Keys of objects with another content, or on one map only."""

    by_layer: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    told: set[str] = field(default_factory=set)
    """Those of them of which name, class or shape differs."""
    drawn: set[str] = field(default_factory=set)
    """Those of them of which class or shape differs; of regions also whether people know them."""
    names: set[str] = field(default_factory=set)
    """All that any of them has or had."""
    names_told: set[str] = field(default_factory=set)
    """All that any has or had of which name, class or shape differs."""

    @cached_property
    def keys(self) -> set[str]:
        """All of them."""
        return set().union(*self.by_layer.values())

    @cached_property
    def _roads_or_told(self) -> set[str]:
        return self.by_layer["road"] | self.told

    def names_in(self, layer: str) -> set[str]:
        """Names that fewer or more objects of the layer bear now, or may; of roads only the drivable ones count."""
        return self.names if layer == "road" else self.names_told

    def heeded(self, heed: Heed) -> set[str]:
        """Those that differ in what is heeded."""
        if heed == "roads":
            return self._roads_or_told
        return {"content": self.keys, "told": self.told, "drawn": self.drawn}[heed]

    def unheeded(self, heed: Heed) -> set[str]:
        """Those that are as they were in what is heeded."""
        return self.keys - self.heeded(heed)


def read_changed(connection: Connection, pair: Pair) -> Changed:
    """What changed between the two maps."""
    binds = {"comparison_id": pair.comparison_id}
    changed = Changed()
    common = sorted({*pair.old.layers} & {*pair.new.layers})
    statement = queries.changed_objects(pair.old.schema, pair.new.schema, common)
    for row in connection.exec_driver_sql(statement, binds):
        changed.by_layer[row.layer].add(row.osm_key)
        if row.drawn:
            changed.drawn.add(row.osm_key)
        if row.drawn or row.renamed:
            changed.told.add(row.osm_key)
    for row in connection.exec_driver_sql(queries.CHANGED_NAMES, binds):
        changed.names.update(row.names)
        if row.osm_key in changed.told:
            changed.names_told.update(row.names)
    return changed
