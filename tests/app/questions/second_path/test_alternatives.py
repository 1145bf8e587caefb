"""Other routes of the second path: a town whose routes are counted by hand, and properties on random grids."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.questions.second_path.alternatives import MOST_SHARED, SLOWEST, find_alternatives
from app.questions.second_path.road_graph import RoadGraph
from app.questions.second_path.routes import RoadPlace, RouteFound, find_routes
from tests.app.questions.second_path.test_routes import SQUARE, edge, graph, turn, ways_of


def place(roads: RoadGraph, way: int, share: float = 0.5) -> RoadPlace:
    return RoadPlace(next(number for number, one in enumerate(roads.edges) if one.way_id == way), share)


def routes_between(roads: RoadGraph, start: int, end: int, most: int = 3) -> list[RouteFound]:
    return find_alternatives(roads, place(roads, start), place(roads, end), most)


def test_the_other_side_of_a_square() -> None:
    """One side takes 19 s, the other 20 s, and both share 10 s on the streets that lead there."""
    roads = graph(*SQUARE[:3], edge(40, 4, 1, 90), *SQUARE[4:])
    found = routes_between(roads, 50, 60)
    assert [ways_of(roads, one) for one in found] == [[50, 40, 30, 60], [50, 10, 20, 60]]
    assert [one.seconds for one in found] == [pytest.approx(29), pytest.approx(30)]
    assert len(routes_between(roads, 50, 60, 0)) == 1


@pytest.mark.parametrize(
    ("metres", "count"),
    [(170, 2), (180, 1)],  # the fastest way is 300 m long, so that an alternative has 375 m at most
)
def test_a_way_that_is_much_longer_is_no_alternative(metres: float, count: int) -> None:
    roads = graph(edge(10, 1, 2, metres), *SQUARE[1:])
    assert len(routes_between(roads, 50, 60)) == count


@pytest.mark.parametrize(("metres", "count"), [(560, 2), (640, 1)])
def test_a_way_that_shares_most_is_no_alternative(metres: float, count: int) -> None:
    """200 m of each side are its own; the rest is the streets that lead to the square, half of each."""
    roads = graph(*SQUARE[:4], edge(50, 9, 1, metres), edge(60, 3, 8, metres))
    assert len(routes_between(roads, 50, 60)) == count


@pytest.mark.parametrize(("pairs", "count"), [(2, 2), (3, 1)])
def test_a_way_that_winds_about_the_fastest_is_no_alternative(pairs: int, count: int) -> None:
    """Streets in a row, every second of which has another one beside it: the other way leaves the fastest at each."""
    nodes = range(1, 2 * pairs + 2)
    row = [edge(10 * node, node, node + 1, 100 if node % 2 else 10) for node in nodes]
    beside = [edge(10 * node + 5, node, node + 1, 110) for node in nodes if node % 2 and node < 2 * pairs]
    roads = graph(edge(1, 0, 1, 10), *row, *beside)
    assert len(routes_between(roads, 1, 10 * nodes[-1])) == count


def test_nobody_passes_through_roads_for_their_own_places_to_have_another_way() -> None:
    roads = graph(*SQUARE[:2], *SQUARE[2:4], *SQUARE[4:])
    through = graph(
        *SQUARE[:2], edge(30, 3, 4, destination=True), edge(40, 4, 1, destination=True), *SQUARE[4:]
    )
    assert (len(routes_between(roads, 50, 60)), len(routes_between(through, 50, 60))) == (2, 1)


def test_turns_are_heeded_and_no_way_is_no_route() -> None:
    roads = graph(*SQUARE, turns=(turn("no_left_turn", 50, 1, 10),))
    assert [ways_of(roads, one) for one in routes_between(roads, 50, 60)] == [[50, 40, 30, 60]]
    apart = graph(edge(1, 1, 2), edge(2, 3, 4))
    assert routes_between(apart, 1, 2) == []


SIDE = 5


@given(st.integers(0, 10_000), st.integers(1, 3))
def test_on_random_grids(seed: int, most: int) -> None:
    draw = random.Random(seed)
    nodes = [(east, north) for east in range(SIDE) for north in range(SIDE)]
    number = {node: index for index, node in enumerate(nodes)}
    rows = [
        edge(len(number) * side + index, index, number[other], draw.randint(50, 150), draw.choice("===<>"))
        for side, (east, north) in enumerate(((1, 0), (0, 1)))
        for node, index in number.items()
        if (other := (node[0] + east, node[1] + north)) in number
    ]
    roads = graph(*rows)
    start, end = (RoadPlace(draw.randrange(len(rows)), draw.random()) for _ in range(2))
    found = find_alternatives(roads, start, end, most)
    (fastest,) = find_routes(roads, start, [end])
    assert found[:1] == ([fastest] if fastest else [])
    assert len(found) <= most + 1
    assert found == sorted(found, key=lambda one: one.seconds)
    for one in found[1:]:
        assert one.seconds <= SLOWEST * found[0].seconds
        assert all(roads.head(arc) == roads.tail(after) for arc, after in pairwise(one.arcs))
        assert all(roads.seconds(arc) is not None for arc in one.arcs)
        crossed = [roads.head(arc) for arc in one.arcs[:-1]]
        assert len(set(crossed)) == len(crossed)
    for one in found[1:]:
        for other in found[:1]:
            own = sum(roads.seconds(arc) or 0 for arc in set(one.arcs) - set(other.arcs))
            assert own >= (1 - MOST_SHARED) * one.seconds - 1e-9
