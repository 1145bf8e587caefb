"""Which edges an answer of OSRM leads over: from the numbers of its nodes, and where on an edge a point lies.

The index is stored beside the files of a router, so that an answer can be read without the database.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
import shapely
from numpy.typing import NDArray

from app.questions.second_path.geodesy import GEOD
from app.routing.network import Network
from app.routing.results import Point, Step

Numbers = NDArray[Any]
_COLUMNS = ("way_id", "position", "from_node", "to_node", "length_m", "forward_kmh", "backward_kmh")


class EdgeIndex:
    """The edges of a network by number; an arc is 2 · edge along its line, and one more against it."""

    def __init__(self, table: Numbers, points: Numbers, sizes: Numbers) -> None:
        """`table` has a row an edge with _COLUMNS, 0 km/h where the mode may not go.

        `points` are the lines' points, lon and lat, one line after the other; `sizes` how many each line has.
        """
        self._table = table
        columns = self._columns = dict(zip(_COLUMNS, table.T, strict=True))
        self._points = points
        self._first_point = np.concatenate(([0], np.cumsum(sizes)))
        self._nodes = int(max(columns["from_node"].max(), columns["to_node"].max()))
        self._first_inner = np.concatenate(([0], np.cumsum(sizes - 2))) + self._nodes + 1
        self._straight = self._find_straight(sizes)

    @classmethod
    def of(cls, network: Network) -> Self:
        """The index of a network."""
        table = [[getattr(edge, name) or 0 for name in _COLUMNS] for edge in network.rows.edges]
        return cls(
            np.array(table, dtype=float),
            shapely.get_coordinates(network.lines),
            shapely.get_num_points(network.lines),
        )

    @classmethod
    def load(cls, file: Path) -> Self:
        """The index that `save` wrote."""
        with np.load(file, allow_pickle=False) as stored:
            return cls(stored["table"], stored["points"], stored["sizes"])

    def save(self, file: Path) -> None:
        """Write the index."""
        np.savez(file, table=self._table, points=self._points, sizes=np.diff(self._first_point))

    # --- edges ------------------------------------------------------------------------------------------

    @property
    def fastest_kmh(self) -> float:
        """The highest speed of any edge."""
        return float(max(self._columns["forward_kmh"].max(), self._columns["backward_kmh"].max()))

    def step(self, arc: int) -> Step:
        """An arc as answers name it."""
        edge = arc >> 1
        return Step(int(self._columns["way_id"][edge]), int(self._columns["position"][edge]), not arc & 1)

    def metres(self, arc: int) -> float:
        """The length of an arc."""
        return float(self._columns["length_m"][arc >> 1])

    def seconds(self, arc: int) -> float:
        """How long an arc takes; OSRM leads over none that the mode may not travel."""
        return self.metres(arc) / self._kmh(arc) * 3.6

    def share(self, arc: int, point: Point) -> float:
        """The share of an arc's length that lies before the place on it that is nearest to a point."""
        edge = arc >> 1
        points = self._points[self._first_point[edge] : self._first_point[edge + 1]]
        along = _metres_along(points, point)
        whole = GEOD.line_length(points[:, 0], points[:, 1])
        share = along / whole if whole else 0.0
        return 1 - share if arc & 1 else share

    def arc_between(self, edge: int, start: Point, end: Point) -> int:
        """The arc of an edge that leads from one place on it to another; of one place, the open arc."""
        arc = 2 * edge + (self.share(2 * edge, start) > self.share(2 * edge, end))
        return arc if self._is_open(arc) else arc ^ 1

    def lines(self) -> Numbers:
        """The line of every edge, in lon, lat."""
        of_edge = np.repeat(np.arange(len(self._table)), np.diff(self._first_point))
        return np.asarray(shapely.linestrings(self._points, indices=of_edge))

    # --- from nodes to arcs -----------------------------------------------------------------------------

    def arcs(self, nodes: Sequence[int], start: int, end: int) -> tuple[int, ...]:
        """The arcs along a chain of nodes from edge `start` to edge `end`, both of which are travelled in part.

        OSRM tells some nodes twice, and then not the node beyond at the route's end: which arc leads there, or from the
        route's beginning on, is told by the edge that the route ends or begins on. A route that ends or begins at the
        edge's node, and could not go along it, has no arc of it.
        """
        chain = [node for number, node in enumerate(nodes) if number == 0 or node != nodes[number - 1]]
        arcs = [
            self._arc(one, other)
            for number, (one, other) in enumerate(pairwise(chain))
            if number == 0 or one <= self._nodes
        ]
        if not arcs or arcs[0] >> 1 != start:
            arcs[:0] = [arc for arc in self._open_arcs(start) if self._head(arc) == chain[0]][:1]
        if not arcs or arcs[-1] >> 1 != end:
            arcs += [arc for arc in self._open_arcs(end) if self._head(arc ^ 1) == chain[-1]][:1]
        return tuple(arcs) or (2 * start,)

    def _open_arcs(self, edge: int) -> list[int]:
        return [arc for arc in (2 * edge, 2 * edge + 1) if self._is_open(arc)]

    def _is_open(self, arc: int) -> bool:
        return self._kmh(arc) > 0

    def _kmh(self, arc: int) -> float:
        return float(self._columns["backward_kmh" if arc & 1 else "forward_kmh"][arc >> 1])

    def _head(self, arc: int) -> int:
        return int(self._columns["from_node" if arc & 1 else "to_node"][arc >> 1])

    def _arc(self, one: int, other: int) -> int:
        """The arc that a segment from node to node lies on."""
        if max(one, other) <= self._nodes:
            return self._straight[one, other]
        edge = int(np.searchsorted(self._first_inner, max(one, other), side="right")) - 1
        if min(one, other) > self._nodes:
            return 2 * edge + (one > other)
        first, last = self._first_inner[edge], self._first_inner[edge + 1] - 1
        if one <= self._nodes:
            forwards = other == first and one == self._columns["from_node"][edge]
        else:
            forwards = one == last and other == self._columns["to_node"][edge]
        return 2 * edge + (not forwards)

    def _find_straight(self, sizes: Numbers) -> dict[tuple[int, int], int]:
        """Arcs of two points by their nodes; of several from one node to another the fastest."""
        found: dict[tuple[int, int], int] = {}
        for edge in np.flatnonzero(sizes == 2).tolist():
            ends = (int(self._columns["from_node"][edge]), int(self._columns["to_node"][edge]))
            for arc, pair, kmh in (
                (2 * edge, ends, self._columns["forward_kmh"][edge]),
                (2 * edge + 1, ends[::-1], self._columns["backward_kmh"][edge]),
            ):
                if kmh and (pair not in found or self.seconds(arc) < self.seconds(found[pair])):
                    found[pair] = arc
        return found


def _metres_along(points: Numbers, point: Point) -> float:
    """Metres from the beginning of a line to the place on it that is nearest to a point.

    Near a point, degrees of longitude count as many as degrees of latitude times the cosine of the latitude.
    """
    scale = np.array([np.cos(np.radians(point[1])), 1.0])
    line = shapely.LineString(points * scale)
    place = line.interpolate(line.project(shapely.Point(np.array(point) * scale)))
    reached = shapely.get_coordinates(place)[0] / scale
    before = _segment(points * scale, shapely.get_coordinates(place)[0])
    way = np.vstack((points[: before + 1], reached))
    return float(GEOD.line_length(way[:, 0], way[:, 1]))


def _segment(points: Numbers, place: Numbers) -> int:
    """The number of the segment that a place on a line lies on."""
    segments = shapely.linestrings(np.stack((points[:-1], points[1:]), axis=1))
    return int(np.argmin(shapely.distance(segments, shapely.Point(place))))
