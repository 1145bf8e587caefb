"""Second path: how far one gets from a place on an edge, by Dijkstra's algorithm over arcs as in routes.py. Pure.

A place counts by its fastest route, as find_routes gives it: it is reached if this route keeps the limit. So an edge
may be reached in part, and from both of its ends.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations, pairwise
from typing import Literal, NamedTuple

from app.questions.second_path.road_graph import RoadGraph, Watch
from app.questions.second_path.routes import RoadPlace

Measure = Literal["seconds", "metres"]
"""What is limited: the time of the fastest route, or its length."""


class Entry(NamedTuple):
    """Where the fastest way enters an arc: the share of the arc that is behind, and what was spent until then."""

    arc: int
    share: float
    cost: float
    seconds: float
    metres: float

    def covers(self, along: float) -> bool:
        """Whether one passes a place at a share of the edge."""
        return self.share <= (1 - along if self.arc & 1 else along)


class Reached(NamedTuple):
    """What the fastest route to a place spends."""

    seconds: float
    metres: float


class EdgePart(NamedTuple):
    """A part of an edge that is reached: shares of the edge along its line."""

    edge: int
    start: float
    end: float


class Reach:
    """What is reached from a place within a limit."""

    def __init__(self, graph: RoadGraph, entries: Sequence[Entry], most: float, measure: Measure) -> None:
        self._graph = graph
        self._most = most
        self._measure = measure
        self._of_edge: dict[int, list[Entry]] = {}
        for one in entries:
            self._of_edge.setdefault(one.arc >> 1, []).append(one)

    def find(self, place: RoadPlace) -> Reached | None:
        """What it takes to get to a place; None where it is not reached."""
        best = self._fastest(place)
        return None if best is None or getattr(best, self._measure) > self._most else best

    def parts(self) -> Iterator[EdgePart]:
        """All that is reached, in the order of edges and shares; no two parts overlap."""
        for edge in sorted(self._of_edge):
            yield from _join(edge, self._pieces(edge))

    def _fastest(self, place: RoadPlace) -> Reached | None:
        passing = [one for one in self._of_edge.get(place.edge, ()) if one.covers(place.share)]
        if not passing:
            return None
        costs = [self._at(one, place.share) for one in passing]
        _, *spent = min(costs, key=lambda one: one[0])
        return Reached(*spent)

    def _at(self, entry: Entry, along: float) -> tuple[float, float, float]:
        """Cost, seconds and metres at a share of an edge that an entry passes."""
        more = (1 - along if entry.arc & 1 else along) - entry.share
        seconds = more * (self._graph.seconds(entry.arc) or 0.0)
        metres = more * self._graph.edges[entry.arc >> 1].length_m
        return entry.cost + seconds, entry.seconds + seconds, entry.metres + metres

    def _pieces(self, edge: int) -> Iterator[tuple[float, float]]:
        """Shares from which to which an edge is reached.

        Between two places at which another entry becomes the cheapest, or the limit is met, all is reached or nothing.
        """
        for start, end in pairwise(sorted(set(self._turning_places(edge)))):
            if self.find(RoadPlace(edge, (start + end) / 2)) is not None:
                yield start, end

    def _turning_places(self, edge: int) -> Iterator[float]:
        yield from (0.0, 1.0)
        entries = self._of_edge[edge]
        lines = [(self._at(one, 0.0), self._at(one, 1.0)) for one in entries]
        column = 1 if self._measure == "seconds" else 2
        for entry, (first, last) in zip(entries, lines, strict=True):
            yield 1 - entry.share if entry.arc & 1 else entry.share
            yield from _crossing(first[column] - self._most, last[column] - self._most)
        for (first, last), (other_first, other_last) in combinations(lines, 2):
            yield from _crossing(first[0] - other_first[0], last[0] - other_last[0])


def find_reach(graph: RoadGraph, start: RoadPlace, most: float, measure: Measure) -> Reach:
    """All places whose fastest route from the start takes at most so many seconds, or has at most so many metres."""
    return Reach(graph, _Growing(graph, start, most, measure).run(), most, measure)


class _Growing:
    """The search; it ends when nothing that waits was entered within the limit."""

    def __init__(self, graph: RoadGraph, start: RoadPlace, most: float, measure: Measure) -> None:
        self._graph = graph
        self._start = start
        self._most = most
        self._measure = measure
        self._waiting: list[tuple[float, tuple[int, int], Watch, Entry]] = []
        self._pushed = 0
        self._within = 0
        self._settled: set[tuple[int, Watch]] = set()
        self._entries: dict[int, Entry] = {}

    def run(self) -> list[Entry]:
        """The cheapest entry of each arc, and the beginnings on the edge of the start."""
        first = list(self._begin())
        while self._within:
            cost, _, watch, entry = heappop(self._waiting)
            self._within -= self._is_within(entry)
            if (entry.arc, watch) not in self._settled:
                self._settled.add((entry.arc, watch))
                self._go_on(entry, watch, cost)
        return [*first, *self._entries.values()]

    def _begin(self) -> Iterator[Entry]:
        for arc in (2 * self._start.edge, 2 * self._start.edge + 1):
            if self._graph.seconds(arc) is not None:
                share = 1 - self._start.share if arc & 1 else self._start.share
                entry = Entry(arc, share, 0.0, 0.0, 0.0)
                self._push(entry, ())
                yield entry

    def _go_on(self, entry: Entry, watch: Watch, cost: float) -> None:
        left = 1 - entry.share
        seconds = entry.seconds + left * (self._graph.seconds(entry.arc) or 0.0)
        metres = entry.metres + left * self._graph.edges[entry.arc >> 1].length_m
        for after, watched in self._graph.turns(entry.arc, watch):
            then = Entry(after, 0.0, cost + self._graph.entering(entry.arc, after), seconds, metres)
            known = self._entries.get(after)
            if known is None or then.cost < known.cost:
                self._entries[after] = then
            if (after, watched) not in self._settled:
                self._push(then, watched)

    def _push(self, entry: Entry, watch: Watch) -> None:
        """Entries wait by the cost at the end of their arcs, then by arc, then by when they were found."""
        self._pushed += 1
        self._within += self._is_within(entry)
        left = (1 - entry.share) * (self._graph.seconds(entry.arc) or 0.0)
        heappush(self._waiting, (entry.cost + left, (entry.arc, self._pushed), watch, entry))

    def _is_within(self, entry: Entry) -> bool:
        spent: float = getattr(entry, self._measure)
        return spent <= self._most


def _crossing(first: float, last: float) -> Iterator[float]:
    """Where a straight line from `first` at 0 to `last` at 1 is zero."""
    if first * last < 0:
        yield first / (first - last)


def _join(edge: int, pieces: Iterator[tuple[float, float]]) -> Iterator[EdgePart]:
    """Pieces in their order, of which neighbours are one part."""
    begun: EdgePart | None = None
    for start, end in pieces:
        if begun is not None and begun.end == start:
            begun = begun._replace(end=end)
            continue
        if begun is not None:
            yield begun
        begun = EdgePart(edge, start, end)
    if begun is not None:
        yield begun
