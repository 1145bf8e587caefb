"""A router that asks the second path, where OSRM is not installed: the same network, slower."""

from collections.abc import Sequence

from app.questions.second_path.alternatives import find_alternatives
from app.questions.second_path.reaching import Measure, find_reach
from app.questions.second_path.road_graph import RoadGraph
from app.questions.second_path.routes import RoadPlace, find_routes
from app.routing.checks import check_matrix, refuse_unconnected
from app.routing.edge_index import EdgeIndex
from app.routing.network import Network
from app.routing.reaching import ReachedRoads
from app.routing.results import MOST_ALTERNATIVES, Point, Route, Snapped
from app.routing.snapping import End, Snapper


class OnePathRouter:
    """The router of one snapshot and mode, in this process."""

    engine = "one path"

    def __init__(self, network: Network, mode: str) -> None:
        self._mode = mode
        self._graph = RoadGraph(network.rows)
        self._index = EdgeIndex.of(network)
        self._snapper = Snapper(self._index, mode)

    @property
    def fastest_kmh(self) -> float:
        """The highest speed of any edge."""
        return self._index.fastest_kmh

    def nearest(self, point: Point) -> Snapped:
        """The nearest place on the network. Raises RouteRefused where it is too far away."""
        return self._snapper.find(point).snapped

    def routes(self, start: Point, end: Point, alternatives: int = 0) -> list[Route]:
        """The fastest route, then up to `alternatives` others. Raises RouteRefused where there is none."""
        one, other = self._snapper.find(start), self._snapper.find(end)
        most = min(alternatives, MOST_ALTERNATIVES)
        found = find_alternatives(self._graph, self._place(one), self._place(other), most)
        if not found:
            raise refuse_unconnected(self._mode)
        return [
            Route(
                route.seconds,
                route.metres,
                tuple(map(self._index.step, route.arcs)),
                one.snapped,
                other.snapped,
            )
            for route in found
        ]

    def matrix(self, starts: Sequence[Point], ends: Sequence[Point]) -> list[list[float | None]]:
        """Seconds from each start (a row) to each end; None where no route leads there."""
        check_matrix(starts, ends)
        targets = [self._place(self._snapper.find(point)) for point in ends]
        return [self._seconds(self._place(self._snapper.find(point)), targets) for point in starts]

    def reach(self, start: Point, most: float, measure: Measure) -> ReachedRoads:
        """The roads whose fastest route from the start takes at most so many seconds, or has at most so many metres.

        Raises RouteRefused where the start is too far from the network.
        """
        end = self._snapper.find(start)
        reach = find_reach(self._graph, self._place(end), most, measure)
        return ReachedRoads(
            reach, self._index, end.snapped.point, lambda point: self._place(self._snapper.find(point))
        )

    def _seconds(self, start: RoadPlace, ends: Sequence[RoadPlace]) -> list[float | None]:
        return [None if one is None else one.seconds for one in find_routes(self._graph, start, ends)]

    def _place(self, end: End) -> RoadPlace:
        return RoadPlace(end.edge, self._index.share(2 * end.edge, end.snapped.point))
