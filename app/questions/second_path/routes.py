"""Second path: the fastest route from a point on an edge to points on edges, by Dijkstra's algorithm over arcs. Pure.

Turn restrictions, barriers and turning back hold from arc to arc, so an arc, not a node, is what is settled. Times are
seconds, lengths metres.
"""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from app.questions.second_path.road_graph import RoadGraph, Watch

_ON_ONE_PLACE = 1e-12
"""Shares of an edge that are no farther apart are one place on it."""


class RoadPlace(NamedTuple):
    """A place on an edge: its number in RoadGraph.edges, and the share of its length before the place."""

    edge: int
    share: float


class RouteFound(NamedTuple):
    """A fastest route."""

    seconds: float
    metres: float
    arcs: tuple[int, ...]
    """In their order; the first and the last are travelled in part."""


class _Label(NamedTuple):
    """The cheapest way to the head of an arc that is known."""

    arc: int
    watch: Watch


class _Reached(NamedTuple):
    seconds: float
    before: _Label | None


def find_routes(
    graph: RoadGraph,
    start: RoadPlace,
    ends: Sequence[RoadPlace],
    dearer: Mapping[int, float] | None = None,
) -> list[RouteFound | None]:
    """The fastest route to each of the ends, None where none leads there.

    Of routes that cost the same, the one that is found first counts: the search goes by cost, then by arc. It costs
    more to enter roads for their own places only (RoadGraph.entering): one passes through if no other way leads on.
    Edges of `dearer` cost so many times their time; the seconds of a route are its time all the same.
    """
    search = _Search(graph, start, ends, dearer or {})
    search.run()
    return [search.route(number) for number in range(len(ends))]


class _Search:
    """One search from a place; ends are settled one by one."""

    def __init__(
        self, graph: RoadGraph, start: RoadPlace, ends: Sequence[RoadPlace], dearer: Mapping[int, float]
    ) -> None:
        self._graph = graph
        self._dearer = dearer
        self._start = start
        self._ends = ends
        self._of_edge: dict[int, list[int]] = {}
        for number, end in enumerate(ends):
            self._of_edge.setdefault(end.edge, []).append(number)
        self._reached: dict[_Label, _Reached] = {}
        self._waiting: list[tuple[float, tuple[int, int], _Label, float, _Label | None]] = []
        self._found = 0
        self._best: dict[int, tuple[float, float, int, _Label | None]] = {}
        """By end: cost, seconds, the last arc, and the label before that."""

    def run(self) -> None:
        """Settle labels until nothing cheaper can be found."""
        for arc in (2 * self._start.edge, 2 * self._start.edge + 1):
            seconds = self._graph.seconds(arc)
            if seconds is not None:
                behind = _done(arc, self._start.share)
                self._meet_ends(arc, None, 0.0, 0.0, behind)
                left = seconds * (1 - behind)
                self._push(left * self._factor(arc), _Label(arc, ()), left, None)
        while self._waiting:
            cost, _, label, seconds, before = heappop(self._waiting)
            if len(self._best) == len(self._ends) and cost > max(one[0] for one in self._best.values()):
                return
            if label not in self._reached:
                self._reached[label] = _Reached(seconds, before)
                self._go_on(label, cost, seconds)

    def _go_on(self, label: _Label, cost: float, seconds: float) -> None:
        for after, watch in self._graph.turns(label.arc, label.watch):
            takes = self._graph.seconds(after)
            assert takes is not None, "turns lead to arcs that the mode may travel"
            entered = cost + self._graph.entering(label.arc, after)
            self._meet_ends(after, label, entered, seconds, 0.0)
            then = _Label(after, watch)
            if then not in self._reached:
                self._push(entered + takes * self._factor(after), then, seconds + takes, label)

    def _factor(self, arc: int) -> float:
        return self._dearer.get(arc >> 1, 1.0)

    def _push(self, cost: float, label: _Label, seconds: float, before: _Label | None) -> None:
        """Labels of equal cost are settled by arc, then in the order in which they were found."""
        self._found += 1
        heappush(self._waiting, (cost, (label.arc, self._found), label, seconds, before))

    def _meet_ends(
        self, arc: int, before: _Label | None, cost: float, seconds: float, from_share: float
    ) -> None:
        """Note the ends on an arc that is entered; of its length `from_share` is behind already."""
        whole = self._graph.seconds(arc) or 0.0
        for number in self._of_edge.get(arc >> 1, ()):
            share = _done(arc, self._ends[number].share) - from_share
            if before is None and share < -_ON_ONE_PLACE:
                continue
            more = whole * max(share, 0.0)
            found = (cost + more * self._factor(arc), seconds + more, arc, before)
            known = self._best.get(number)
            if known is None or found[0] < known[0]:
                self._best[number] = found

    def route(self, number: int) -> RouteFound | None:
        """The route to an end."""
        if number not in self._best:
            return None
        _, seconds, last, before = self._best[number]
        arcs = [last]
        while before is not None:
            arcs.append(before.arc)
            before = self._reached[before].before
        arcs.reverse()
        return RouteFound(seconds, self._metres(arcs, self._ends[number]), tuple(arcs))

    def _metres(self, arcs: Sequence[int], end: RoadPlace) -> float:
        lengths = [self._graph.edges[arc >> 1].length_m for arc in arcs]
        behind = _done(arcs[0], self._start.share)
        ahead = 1 - _done(arcs[-1], end.share)
        return sum(lengths) - behind * lengths[0] - ahead * lengths[-1]


def _done(arc: int, share: float) -> float:
    """The share of an arc that lies before a place at `share` of its edge."""
    return 1 - share if arc & 1 else share
