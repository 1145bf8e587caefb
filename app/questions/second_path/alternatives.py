"""Second path: other good routes beside the fastest one, by the penalty method. Pure.

The method is described by Bader, Dees, Geisberger and Sanders, "Alternative Route Graphs in Road Networks" (2011): the
edges of the routes that are known are made dearer, and the fastest route is sought again. Limits say which routes are
good, as in Abraham, Delling, Goldberg and Werneck, "Alternative Routes in Road Networks" (2010): an alternative takes
not much longer, shares not too much, and does not pass a place twice.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.questions.second_path.road_graph import RoadGraph
from app.questions.second_path.routes import RoadPlace, RouteFound, find_routes

SLOWEST = 1.25
"""An alternative takes at most so many times the seconds of the fastest route."""
MOST_SHARED = 0.75
"""The share of an alternative's seconds that it may travel on edges of a route that was taken before it."""
MOST_DEPARTURES = 2
"""How often an alternative may leave the fastest route: more often, it winds about it."""
DEARER = 0.4
"""What each route that was found adds to the cost of its edges, as a share of their time."""
ROUNDS = 10
"""How often it is sought."""


def find_alternatives(graph: RoadGraph, start: RoadPlace, end: RoadPlace, most: int) -> list[RouteFound]:
    """The fastest route, then up to `most` others by their seconds; empty where no route leads there.

    Others enter roads that are for their own places only as often as the fastest route at most.
    """
    (fastest,) = find_routes(graph, start, [end])
    if fastest is None:
        return []
    taken = [fastest]
    for route in _seek(graph, start, end, fastest) if most else ():
        if _is_good(graph, route, taken):
            taken.append(route)
        if len(taken) > most:
            break
    return [fastest, *sorted(taken[1:], key=lambda route: (route.seconds, route.arcs))]


def _seek(graph: RoadGraph, start: RoadPlace, end: RoadPlace, fastest: RouteFound) -> Iterator[RouteFound]:
    """Routes over edges that are the dearer the more often they were travelled; the same may come again."""
    dearer: dict[int, float] = {}
    found: RouteFound | None = fastest
    for _ in range(ROUNDS):
        assert found is not None, "a route leads there, however dear it is"
        for edge in {arc >> 1 for arc in found.arcs}:
            dearer[edge] = dearer.get(edge, 1.0) + DEARER
        (found,) = find_routes(graph, start, [end], dearer)
        if found is not None:
            yield found


def _is_good(graph: RoadGraph, route: RouteFound, taken: Sequence[RouteFound]) -> bool:
    fastest = taken[0]
    return (
        fastest.seconds <= route.seconds <= SLOWEST * fastest.seconds
        and _is_loopless(graph, route.arcs)
        and _count_departures(route, fastest) <= MOST_DEPARTURES
        and _entered(graph, route.arcs) <= _entered(graph, fastest.arcs)
        and all(_shared_seconds(graph, route, one) <= MOST_SHARED * route.seconds for one in taken)
    )


def _is_loopless(graph: RoadGraph, arcs: Sequence[int]) -> bool:
    """Whether a route passes no node twice and travels on no edge twice."""
    passed = [graph.head(arc) for arc in arcs[:-1]]
    return len(set(passed)) == len(passed) and len({arc >> 1 for arc in arcs}) == len(arcs)


def _count_departures(route: RouteFound, fastest: RouteFound) -> int:
    """How many stretches of a route are not on edges of the fastest; both have the first edge."""
    edges = {arc >> 1 for arc in fastest.arcs}
    return sum(one >> 1 in edges and other >> 1 not in edges for one, other in pairwise(route.arcs))


def _entered(graph: RoadGraph, arcs: Sequence[int]) -> float:
    return sum(graph.entering(one, other) for one, other in pairwise(arcs))


def _shared_seconds(graph: RoadGraph, route: RouteFound, other: RouteFound) -> float:
    """Seconds of the route on edges that both travel, in whichever direction; both have the first and the last edge."""
    edges = {arc >> 1 for arc in other.arcs}
    return route.seconds - sum(graph.seconds(arc) or 0.0 for arc in route.arcs if arc >> 1 not in edges)
