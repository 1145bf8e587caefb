"""Second path: which roads for cars are connected with each other, and which road is nearest to a place. Pure.

Two edges are in one part if a car gets from each to the other and back; turns do not count. Nobody gets past a node
whose barrier stops cars. Metres on WGS84 geodesics.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from app.questions.second_path.geodesy import Boundary
from app.questions.second_path.reading import EdgeRow, RoadRows

ROAD_WITHIN, ALIKE = 1000.0, 0.01
"""How far a road may be, and by how much the distances of two roads may differ that are equally near."""
LEAST_METRES_A_DEGREE = 110_000.0
FIRST_BOX_M = 60.0
End = tuple[int, int | None]
"""A node; behind a barrier that stops cars, each edge has a node of its own."""


class ConnectedRoads:
    """The roads for cars of one map, in parts."""

    def __init__(self, rows: RoadRows, lines: Mapping[tuple[int, int], bytes]) -> None:
        self._edges: Sequence[EdgeRow] = sorted(rows.edges, key=lambda edge: (edge.way_id, edge.position))
        self._blocked = rows.blocked
        self._lines = shapely.from_wkb([lines[edge.way_id, edge.position] for edge in self._edges])
        self._boundaries: dict[int, Boundary] = {}

    def part_of(self, lon: float, lat: float) -> int | None:
        """The number of the part of the nearest road, 0 for the largest; None where there is none.

        Of roads that are equally near, the one in the largest part counts.
        """
        near = self._near(lon, lat)
        if not near:
            return None
        reach = min(min(metres for _, metres in near) + ALIKE, ROAD_WITHIN)
        parts = [self._parts[edge] for edge, metres in near if metres <= reach]
        return min((part for part in parts if part is not None), default=None)

    def _near(self, lon: float, lat: float) -> list[tuple[int, float]]:
        """Edges and their distances, among them all that are nearest; none where no edge is near."""
        half = FIRST_BOX_M
        while half <= 4 * ROAD_WITHIN:
            high = half / LEAST_METRES_A_DEGREE
            wide = high / np.cos(np.radians(lat))
            found = self._tree.query(shapely.box(lon - wide, lat - high, lon + wide, lat + high)).tolist()
            near = [(edge, self._distance(edge, lon, lat)) for edge in found]
            if near and min(metres for _, metres in near) + ALIKE <= half:
                return near
            half *= 2
        return []

    def _distance(self, edge: int, lon: float, lat: float) -> float:
        if edge not in self._boundaries:
            self._boundaries[edge] = Boundary(self._lines[edge])
        return self._boundaries[edge].distance(lon, lat)

    @cached_property
    def _tree(self) -> Any:
        return shapely.STRtree(self._lines)

    @cached_property
    def _parts(self) -> list[int | None]:
        """The part of each edge; None of edges that only lead from one part to another."""
        ends = [self._ends(number) for number in range(len(self._edges))]
        arcs: dict[End, list[End]] = {}
        for edge, (one, other) in zip(self._edges, ends, strict=True):
            arcs.setdefault(one, [])
            arcs.setdefault(other, [])
            if edge.forward_kmh:
                arcs[one].append(other)
            if edge.backward_kmh:
                arcs[other].append(one)
        components = strong_components(arcs)
        within = [components[one] if components[one] == components[other] else None for one, other in ends]
        sizes = Counter(one for one in within if one is not None)
        numbers = {component: number for number, (component, _) in enumerate(sizes.most_common())}
        return [None if one is None else numbers[one] for one in within]

    def _ends(self, number: int) -> tuple[End, End]:
        edge = self._edges[number]
        one, other = (
            (node, 2 * number + side if node in self._blocked else None)
            for side, node in enumerate((edge.from_node, edge.to_node))
        )
        return one, other


def strong_components(arcs: Mapping[End, Sequence[End]]) -> dict[End, int]:
    """The strongly connected component of each node (Tarjan, 1972), without recursion."""
    numbers: dict[End, int] = {}
    low: dict[End, int] = {}
    component: dict[End, int] = {}
    stack: list[End] = []
    for root in arcs:
        if root in numbers:
            continue
        numbers[root] = low[root] = len(numbers)
        stack.append(root)
        path: list[tuple[End, Iterator[End]]] = [(root, iter(arcs[root]))]
        while path:
            node, following = path[-1]
            after = next((one for one in following if one not in component), None)
            if after is None:
                path.pop()
                if path:
                    before = path[-1][0]
                    low[before] = min(low[before], low[node])
                if low[node] == numbers[node]:
                    while True:
                        member = stack.pop()
                        component[member] = numbers[node]
                        if member == node:
                            break
            elif after in numbers:
                low[node] = min(low[node], numbers[after])
            else:
                numbers[after] = low[after] = len(numbers)
                stack.append(after)
                path.append((after, iter(arcs[after])))
    return component
