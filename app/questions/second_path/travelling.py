"""Second path: how long the fastest ways from place to place take. Pure. Seconds.

A way begins and ends at the point of a road that is nearest to the place. Near a place the earth is taken to be flat.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely

from app.questions.second_path.geodesy import GEOD
from app.questions.second_path.junctions import Junction, find_junctions
from app.questions.second_path.road_graph import RoadGraph
from app.questions.second_path.routes import RoadPlace, RouteFound, find_routes

FARTHEST_M = 1000.0
"""A place that is farther from every road is on none."""
METRES_A_DEGREE = 111_195.0
FIRST_BOX_M = 60.0
LARGEST_PART = 1
"""The number of the part of the network that has the most edges."""
LonLat = tuple[float, float]


class Stretch(NamedTuple):
    """An edge by way and position, and how many metres of it are travelled."""

    edge: tuple[int, int]
    metres: float


class Travelling:
    """The network of one mode with its lines; what was found out is kept."""

    def __init__(self, graph: RoadGraph, lines: Mapping[tuple[int, int], bytes]) -> None:
        """`lines` are the WKB of the edges in lon, lat, by way and position."""
        self._graph = graph
        self._wkb = [lines[edge.way_id, edge.position] for edge in graph.edges]
        self._places: dict[LonLat, RoadPlace | None] = {}
        self._seconds: dict[tuple[RoadPlace, RoadPlace], float | None] = {}
        self._metres: dict[tuple[RoadPlace, RoadPlace], float] = {}
        self._routes: dict[tuple[RoadPlace, RoadPlace], RouteFound | None] = {}

    def seconds(self, starts: Sequence[LonLat], ends: Sequence[LonLat]) -> list[list[float | None]]:
        """From each start (a row) to each end; None where no way leads, or a place is not on the largest part."""
        targets = [self.find_place(end) for end in ends]
        return [self._row(self.find_place(start), targets) for start in starts]

    def metres_timed(self, start: LonLat, end: LonLat) -> float | None:
        """How long the way is whose time `seconds` gave; None where it gave none."""
        first, last = self.find_place(start), self.find_place(end)
        return None if first is None or last is None else self._metres.get((first, last))

    def find_place(self, point: LonLat) -> RoadPlace | None:
        """The nearest place on a road; None where it is too far away, or on no road of the largest part."""
        if point not in self._places:
            self._places[point] = self._find(point)
        place = self._places[point]
        return place if place and self._graph.edges[place.edge].part == LARGEST_PART else None

    def stretches(self, start: LonLat, end: LonLat) -> Sequence[Stretch] | None:
        """The edges of the fastest way, each with the metres of it that are travelled; None as for `seconds`."""
        first, last = self.find_place(start), self.find_place(end)
        route = self._route(first, last)
        if first is None or last is None or route is None:
            return None
        metres = [self._graph.edges[arc >> 1].length_m for arc in route.arcs]
        if len(metres) > 1:
            metres[0] *= self._ahead(route.arcs[0], first)
            metres[-1] *= 1 - self._ahead(route.arcs[-1], last)
        else:
            metres = [route.metres]
        edges = [self._graph.edges[arc >> 1] for arc in route.arcs]
        return [
            Stretch((edge.way_id, edge.position), length) for edge, length in zip(edges, metres, strict=True)
        ]

    def metres(self, start: LonLat, end: LonLat) -> float | None:
        """How long the fastest way is; None as for `seconds`."""
        route = self._route(self.find_place(start), self.find_place(end))
        return None if route is None else route.metres

    def junctions(self, start: LonLat, end: LonLat) -> Sequence[Junction] | None:
        """How the fastest way goes on from edge to edge; None as for `seconds`."""
        route = self._route(self.find_place(start), self.find_place(end))
        return None if route is None else find_junctions(self._graph, self._lines, route.arcs)

    def _route(self, start: RoadPlace | None, end: RoadPlace | None) -> RouteFound | None:
        if start is None or end is None:
            return None
        if (start, end) not in self._routes:
            (self._routes[start, end],) = find_routes(self._graph, start, [end])
        return self._routes[start, end]

    def _ahead(self, arc: int, place: RoadPlace) -> float:
        """The share of an arc that lies beyond a place on it."""
        return place.share if arc & 1 else 1 - place.share

    def _row(self, start: RoadPlace | None, ends: Sequence[RoadPlace | None]) -> list[float | None]:
        if start is None:
            return [None] * len(ends)
        unknown = [end for end in dict.fromkeys(ends) if end and (start, end) not in self._seconds]
        routes = find_routes(self._graph, start, unknown) if unknown else ()
        for end, route in zip(unknown, routes, strict=True):
            self._seconds[start, end] = None if route is None else route.seconds
            if route is not None:
                self._metres[start, end] = route.metres
        return [None if end is None else self._seconds[start, end] for end in ends]

    @cached_property
    def _lines(self) -> Any:
        return shapely.from_wkb(self._wkb)

    @cached_property
    def _tree(self) -> Any:
        return shapely.STRtree(self._lines)

    def _find(self, point: LonLat) -> RoadPlace | None:
        lon, lat = point
        scale = np.array((METRES_A_DEGREE * np.cos(np.radians(lat)), METRES_A_DEGREE))
        half = FIRST_BOX_M
        while half < 4 * FARTHEST_M:
            wide, high = half / scale
            near = np.sort(self._tree.query(shapely.box(lon - wide, lat - high, lon + wide, lat + high)))
            flat = shapely.transform(self._lines[near], lambda corners: (corners - point) * scale)
            metres = shapely.distance(flat, shapely.Point(0, 0))
            if len(near) and metres.min() <= min(half, FARTHEST_M):
                best = int(metres.argmin())
                return RoadPlace(int(near[best]), self._share(int(near[best]), flat[best], scale, point))
            half *= 2
        return None

    def _share(self, edge: int, flat: Any, scale: Any, point: LonLat) -> float:
        """The share of an edge's length that lies before the place nearest to the point, which is at 0, 0 in `flat`."""
        along = flat.project(shapely.Point(0, 0))
        corners = shapely.get_coordinates(self._lines[edge])
        marks = np.array([0.0, *np.cumsum(np.hypot(*np.diff(shapely.get_coordinates(flat), axis=0).T))])
        behind = max(int(np.searchsorted(marks, along, side="right")), 1)
        reached = shapely.get_coordinates(flat.interpolate(along))[0] / scale + point
        way = np.vstack((corners[:behind], reached))
        whole = GEOD.line_length(corners[:, 0], corners[:, 1])
        return float(min(GEOD.line_length(way[:, 0], way[:, 1]) / whole, 1.0)) if whole else 0.0
