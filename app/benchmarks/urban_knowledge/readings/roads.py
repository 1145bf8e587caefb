"""Readings of questions about a road in an area: Find_Junctions and Identify_Connections.

Every wrong option of Find_Junctions, and of "which is connected", names a road that shares no node with the road,
anywhere on the map. Of "which is not connected" the key shares none, and the others do. So it does not matter how much
around the area counts, nor which ways one passes. What can matter is that somebody says that such a road is met.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.benchmarks.urban_knowledge.second_path.junctions import roads_at, stretch_of
from app.benchmarks.urban_knowledge.second_path.roads import bears_a_road, is_drivable
from app.questions.readings import Reading, readings
from app.questions.readings.features import readings_without
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.layers import is_named
from app.questions.second_path.reading import RoadNode

Parameters = Mapping[str, Any]
_ROUND = frozenset({"roundabout", "circular"})


class _Met:
    """The other roads that one may say a road meets, each by its name."""

    def __init__(self, layers: Layers, name: str, ways: list[int]) -> None:
        self.layers, self.name, self.ways, self.road = layers, name, ways, layers["road"]
        keys = [self.road.keys[way] for way in ways]
        self.nodes = {node for key in keys for node in layers.road_nodes.get(key, [])}
        self.surely = {name for node in self.nodes for name in self._named(node)}

    def otherwise(self) -> dict[str, set[str]]:
        """By reading: the roads that are met by it alone."""
        found = {
            "any_way": set(self._as_paths()),
            "bridges": set(self._across()),
            "unnamed_between": set(self._behind_unnamed()),
        }
        return {reading: names - self.surely - {self.name} for reading, names in found.items()}

    def ways_of(self, names: Iterable[str]) -> list[int]:
        """The ways of roads of these names at the road's nodes, and the road's own."""
        wanted = set(names)
        met = {way for node in self.nodes for way in self._at(node) if self.road.rows[way].name in wanted}
        return [*self.ways, *sorted(met)]

    def _named(self, node: RoadNode) -> set[str]:
        return set(roads_at(self.layers, node)) - {self.name}

    def _as_paths(self) -> Iterator[str]:
        """Roads of whose name a way that is not for cars meets the road."""
        for way in {way for node in self.nodes for way in self._at(node)}:
            row = self.road.rows[way]
            if is_named(row) and bears_a_road(self.road, row.name or ""):
                yield row.name or ""

    def _across(self) -> Iterator[str]:
        """Roads that pass over or under the road, or touch it."""
        lines = self.road.geometries[self.ways]
        for way in {*self.road.tree.query(lines, predicate="intersects")[1].tolist()}:
            row = self.road.rows[way]
            if is_named(row) and is_drivable(row):
                yield row.name or ""

    def _behind_unnamed(self) -> Iterator[str]:
        """Roads that one reaches over nothing but roundabouts and slip roads without a name."""
        seen, coming = set(self.nodes), list(self.nodes)
        while coming:
            for way in filter(self._is_passage, self._at(coming.pop())):
                further = {*self.layers.road_nodes.get(self.road.keys[way], [])} - seen
                seen |= further
                coming += further
                for node in further:
                    yield from self._named(node)

    def _at(self, node: RoadNode) -> list[int]:
        keys = (f"w{way_id}" for way_id in node.way_ids)
        return [self.road.position[key] for key in keys if key in self.road.position]

    def _is_passage(self, way: int) -> bool:
        row = self.road.rows[way]
        is_between = row.tags.get("junction") in _ROUND or row.klass.endswith("_link")
        return not is_named(row) and is_between and is_drivable(row)


def _met_by(layers: Layers, parameters: Parameters) -> _Met:
    stretch = stretch_of(layers, parameters)
    return _Met(layers, stretch.name, stretch.ways)


@readings("urban_knowledge", "Find_Junctions", since=8)
def read_junctions(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Whether another road could be met, which a wrong option may name, or one of the two could be none."""
    met = _met_by(layers, parameters)
    matter = {reading for reading, names in met.otherwise().items() if names}
    return Reading(frozenset(matter | readings_without(met.road, met.ways_of(answer.value["names"]))))


@readings("urban_knowledge", "Identify_Connections", since=8)
def read_connections(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Whether another road could be connected, which a wrong option may name, or the one that is not could be."""
    met, key = _met_by(layers, parameters), answer.value["text"]
    is_connected = parameters["form"] == "connected"
    matter = {
        reading for reading, names in met.otherwise().items() if (names if is_connected else key in names)
    }
    asked = [key] if is_connected else answer.facts["direct"]
    return Reading(frozenset(matter | readings_without(met.road, met.ways_of(asked))))
