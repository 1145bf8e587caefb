"""Readings of questions about a road in an area: Find_Junctions and Identify_Connections.

Every wrong option of Find_Junctions, and of "which is connected", names a road that shares no node with the road,
anywhere on the map. Of "which is not connected" the key shares none, and the others do. So it does not matter how much
around the area counts, nor which ways one passes. What can matter is that somebody says that such a road is met.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import shapely

from app.benchmarks.urban_knowledge.second_path.junctions import Stretch, roads_at, stretch_of
from app.benchmarks.urban_knowledge.second_path.roads import is_drivable
from app.questions.readings import Reading, readings
from app.questions.readings.features import readings_without
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.layers import is_named
from app.questions.second_path.reading import RoadNode

Parameters = Mapping[str, Any]
BETWEEN = 100.0
"""Metres from the road within which a roundabout or a slip road without a name leads to others."""
_ROUND = frozenset({"roundabout", "circular"})


class _Met:
    """The other roads that one may say a road meets, each by its name."""

    def __init__(self, layers: Layers, stretch: Stretch) -> None:
        self.layers, self.stretch, self.road = layers, stretch, layers["road"]
        self.name, self.ways = stretch.name, stretch.ways
        self.lines = shapely.transform(self.road.geometries[self.ways], stretch.plane)
        self.nodes = {node for way in self.ways for node in self._nodes_of(way)}
        self.surely = {name for node in self.nodes for name in self._named(node)}

    def otherwise(self) -> dict[str, set[str]]:
        """By reading: the roads that are met by it alone."""
        found = {
            "any_way": set(self._paths()),
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

    def _paths(self) -> Iterator[str]:
        """The named ways that meet the road, whether they are for cars or not: a road may have the name of a path."""
        for way in {way for node in self.nodes for way in self._at(node)}:
            if is_named(self.road.rows[way]):
                yield self.road.rows[way].name or ""

    def _across(self) -> Iterator[str]:
        """Roads that pass over or under the road, or touch it."""
        lines = self.road.geometries[self.ways]
        for way in {*self.road.tree.query(lines, predicate="intersects")[1].tolist()}:
            row = self.road.rows[way]
            if is_named(row) and is_drivable(row):
                yield row.name or ""

    def _behind_unnamed(self) -> Iterator[str]:
        """Roads that one reaches over nothing but roundabouts and slip roads without a name, within BETWEEN metres."""
        seen, coming = set(self.nodes), list(self.nodes)
        while coming:
            for way in filter(self._is_passage, self._at(coming.pop())):
                further = {node for node in self._nodes_of(way) if node not in seen and self._is_near(node)}
                seen |= further
                coming += further
                for node in further:
                    yield from self._named(node)

    def _nodes_of(self, way: int) -> list[RoadNode]:
        return self.layers.road_nodes.get(self.road.keys[way], [])

    def _is_near(self, node: RoadNode) -> bool:
        return bool((shapely.distance(self.lines, self.stretch.place(node)) <= BETWEEN).any())

    def _at(self, node: RoadNode) -> list[int]:
        keys = (f"w{way_id}" for way_id in node.way_ids)
        return [self.road.position[key] for key in keys if key in self.road.position]

    def _is_passage(self, way: int) -> bool:
        row = self.road.rows[way]
        is_between = row.tags.get("junction") in _ROUND or row.klass.endswith("_link")
        return not is_named(row) and is_between and is_drivable(row)


@readings("urban_knowledge", "Find_Junctions", since=8)
def read_junctions(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Whether another road could be met, which a wrong option may name, or one of the two could be none."""
    met = _Met(layers, stretch_of(layers, parameters))
    matter = {reading for reading, names in met.otherwise().items() if names}
    return Reading(frozenset(matter | readings_without(met.road, met.ways_of(answer.value["names"]))))


@readings("urban_knowledge", "Identify_Connections", since=8)
def read_connections(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Whether another road could be connected, which a wrong option may name, or the one that is not could be."""
    met, key = _Met(layers, stretch_of(layers, parameters)), answer.value["text"]
    is_connected = parameters["form"] == "connected"
    matter = {
        reading for reading, names in met.otherwise().items() if (names if is_connected else key in names)
    }
    asked = [key] if is_connected else answer.facts["direct"]
    return Reading(frozenset(matter | readings_without(met.road, met.ways_of(asked))))
