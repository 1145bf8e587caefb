"""Fastest routes of the second path: small towns whose routes are counted by hand, and random ones against other code."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.questions.second_path.reading import EdgeRow, RoadRows, TurnRow
from app.questions.second_path.road_graph import ENTERING_S, RoadGraph
from app.questions.second_path.routes import RoadPlace, RouteFound, find_routes

KMH = 36.0
"""Ten metres a second: an edge of 100 m takes 10 s."""


def edge(
    way: int, start: int, end: int, metres: float = 100, ways: str = "=", position: int = 1, **more: bool
) -> EdgeRow:
    """An edge: `>` oneway along its line, `<` against it, `=` both."""
    forward, backward = (KMH if ways in signs else None for signs in (">=", "<="))
    return EdgeRow(way, position, start, end, metres, forward, backward, more.get("destination", False), 1)


def graph(*edges: EdgeRow, turns: tuple[TurnRow, ...] = (), blocked: tuple[int, ...] = ()) -> RoadGraph:
    return RoadGraph(RoadRows(edges, turns, frozenset(blocked)))


def turn(klass: str, before: int, via: int | tuple[int, ...], after: int) -> TurnRow:
    node, ways = (via, ()) if isinstance(via, int) else (None, via)
    return TurnRow(1, klass, (before,), node, ways, (after,))


def route(roads: RoadGraph, start: int, end: int, at: float = 0.5, to: float = 0.5) -> RouteFound | None:
    """From a way (its only edge) to a way."""
    number = {one.way_id: index for index, one in enumerate(roads.edges)}
    return find_routes(roads, RoadPlace(number[start], at), [RoadPlace(number[end], to)])[0]


def ways_of(roads: RoadGraph, found: RouteFound | None) -> list[int] | None:
    return None if found is None else [roads.edges[arc >> 1].way_id for arc in found.arcs]


# A square of 100 m: 1-2-3-4, with a street on from each of its corners 1 and 3.
SQUARE = (edge(10, 1, 2), edge(20, 2, 3), edge(30, 3, 4), edge(40, 4, 1), edge(50, 9, 1), edge(60, 3, 8))


def test_on_one_edge() -> None:
    roads = graph(edge(1, 1, 2))
    found = route(roads, 1, 1, 0.2, 0.7)
    assert found
    assert (found.seconds, found.metres, found.arcs) == (pytest.approx(5), pytest.approx(50), (0,))
    back = route(roads, 1, 1, 0.7, 0.2)
    assert back
    assert (back.seconds, back.arcs) == (pytest.approx(5), (1,))


def test_a_place_itself_takes_no_time() -> None:
    found = route(graph(edge(1, 1, 2)), 1, 1, 0.3, 0.3)
    assert found
    assert (found.seconds, found.metres) == (0, 0)


def test_the_shorter_side_of_a_square() -> None:
    roads = graph(*SQUARE[:3], edge(40, 4, 1, 90), *SQUARE[4:])
    found = route(roads, 50, 60)
    assert found
    assert ways_of(roads, found) == [50, 40, 30, 60]
    assert (found.seconds, found.metres) == (pytest.approx(29), pytest.approx(290))


def test_of_equal_routes_one_is_always_the_same() -> None:
    assert (
        len(
            {
                tuple(ways_of(roads, route(roads, 50, 60)) or ())
                for roads in (graph(*SQUARE), graph(*SQUARE[::-1]))
            }
        )
        == 1
    )


def test_a_oneway_is_passed_one_way() -> None:
    roads = graph(edge(10, 1, 2, ways="<"), *SQUARE[1:])
    assert ways_of(roads, route(roads, 50, 60)) == [50, 40, 30, 60]
    assert ways_of(roads, route(graph(edge(1, 1, 2), edge(2, 2, 3, ways="<")), 1, 2)) is None


def test_around_a_oneway_to_a_place_behind() -> None:
    roads = graph(edge(10, 1, 2, ways=">"), edge(20, 2, 3, ways=">"), edge(30, 3, 1, ways=">"))
    found = route(roads, 10, 10, 0.6, 0.1)
    assert found
    assert ways_of(roads, found) == [10, 20, 30, 10]
    assert (found.seconds, found.metres) == (pytest.approx(25), pytest.approx(250))


@pytest.mark.parametrize(
    ("restriction", "expected"),
    [
        (turn("no_left_turn", 50, 1, 10), [50, 40, 30, 60]),
        (turn("no_left_turn", 20, 1, 10), [50, 10, 20, 60]),
        (turn("only_straight_on", 50, 1, 40), [50, 40, 30, 60]),
        (turn("only_straight_on", 50, 1, 10), [50, 10, 20, 60]),
        (turn("no_right_turn", 50, (10,), 20), [50, 40, 30, 60]),
        (turn("no_right_turn", 10, (20,), 60), [50, 40, 30, 60]),
        (turn("only_straight_on", 50, (10,), 20), [50, 10, 20, 60]),
    ],
)
def test_forbidden_turns(restriction: TurnRow, expected: list[int]) -> None:
    """The side by 10 and 20 is the shorter one."""
    sides = (*SQUARE[:2], edge(30, 3, 4, 101), *SQUARE[3:])
    roads = graph(*sides, turns=(restriction,))
    assert ways_of(roads, route(roads, 50, 60)) == expected


def test_a_turn_over_ways_is_forbidden_to_those_alone_who_came_that_way() -> None:
    """From 50 over 10 nobody may go on to 20; from 40 over 10 everybody may."""
    roads = graph(*SQUARE, turns=(turn("no_right_turn", 50, (10,), 20),))
    assert ways_of(roads, route(roads, 40, 20)) == [40, 10, 20]


def test_a_turn_over_a_way_of_two_edges() -> None:
    """Way 10 is two edges, met by 70 in the middle: who comes off 70 has not come from 50."""
    split = (edge(10, 1, 5, 50), edge(10, 5, 2, 50, position=2), edge(70, 7, 5))
    roads = graph(*split, *SQUARE[1:], turns=(turn("no_right_turn", 50, (10,), 20),))
    starts = {one.way_id: RoadPlace(number, 0.5) for number, one in enumerate(roads.edges)}
    (found,) = find_routes(roads, starts[50], [starts[60]])
    assert ways_of(roads, found) == [50, 40, 30, 60]
    (found,) = find_routes(roads, starts[70], [starts[60]])
    assert ways_of(roads, found) == [70, 10, 20, 60]


# A street of three edges with a side street that is a dead end: 1-2-3-4, and 2-5.
STREET = (edge(1, 1, 2), edge(2, 2, 3), edge(3, 3, 4), edge(4, 2, 5, 30))


def test_one_turns_back_at_dead_ends_only() -> None:
    """From 1 one gets to the side street; to come back from 3, one goes to the street's end at 4."""
    roads = graph(*STREET, edge(5, 9, 1))
    number = {one.way_id: index for index, one in enumerate(roads.edges)}
    oneway = graph(edge(1, 1, 2, ways=">"), *STREET[1:])
    assert ways_of(oneway, route(oneway, 1, 4)) == [1, 4]
    # at 2 the side street and the street meet: nobody turns back there
    (found,) = find_routes(roads, RoadPlace(number[1], 1.0), [RoadPlace(number[1], 0.5)])
    assert found
    assert found.arcs == (2 * number[1] + 1,), "one may begin in either direction"
    forced = graph(edge(1, 1, 2, ways=">"), edge(2, 2, 3), edge(3, 3, 4), edge(6, 2, 6, ways=">"))
    assert ways_of(forced, route(forced, 1, 6)) == [1, 6]


def test_to_go_back_one_drives_to_the_end_of_the_side_street() -> None:
    """Way 7 may only be reached from the side street, 4: from 1 one turns at its end."""
    rows = (*STREET, edge(7, 2, 7))
    roads = graph(*rows, turns=(turn("no_left_turn", 1, 2, 7), turn("no_u_turn", 2, 3, 2)))
    found = route(roads, 1, 7)
    assert found
    assert ways_of(roads, found) == [1, 4, 4, 7]
    assert found.seconds == pytest.approx(5 + 3 + 3 + 5)
    closed = graph(*rows, turns=(turn("no_left_turn", 1, 2, 7), turn("no_u_turn", 4, 5, 4)))
    assert ways_of(closed, route(closed, 1, 7)) == [1, 2, 3, 3, 2, 7], (
        "the next dead end is that of the street"
    )


def test_a_barrier_is_the_end_for_those_whom_it_stops() -> None:
    rows = (edge(1, 1, 2), edge(2, 2, 3), edge(3, 1, 4), edge(4, 4, 3))
    roads = graph(*rows, blocked=(2,))
    assert ways_of(roads, route(roads, 1, 2)) == [1, 3, 4, 2]
    alone = graph(*rows[:2], blocked=(2,))
    assert route(alone, 1, 2) is None


def test_a_turn_back_on_a_way_that_goes_on_is_forbidden_and_going_on_is_not() -> None:
    rows = (edge(1, 1, 2), edge(1, 2, 3, position=2))
    roads = graph(*rows, turns=(turn("no_u_turn", 1, 2, 1),))
    (found,) = find_routes(roads, RoadPlace(0, 0.5), [RoadPlace(1, 0.5)])
    assert found
    assert found.arcs == (0, 2)


def test_nobody_passes_through_roads_for_their_own_places() -> None:
    """The short cut by 20 is private: 300 m around are taken to pass, and the private road to a place on it."""
    rows = (edge(1, 1, 2), edge(20, 2, 3, 10, destination=True), edge(3, 3, 4), edge(30, 2, 3, 300))
    roads = graph(*rows)
    found = route(roads, 1, 3)
    assert found
    assert ways_of(roads, found) == [1, 30, 3]
    to_place = route(roads, 1, 20)
    assert to_place
    assert (ways_of(roads, to_place), to_place.seconds) == ([1, 20], pytest.approx(5.5))
    out = route(roads, 20, 3)
    assert out
    assert ways_of(roads, out) == [20, 3]
    only = graph(*rows[:3])
    through = route(only, 1, 3)
    assert through
    assert (ways_of(only, through), through.seconds) == ([1, 20, 3], pytest.approx(11)), (
        "where no other way leads"
    )
    assert ENTERING_S > 1000


def test_many_ends_at_once_are_as_one_by_one() -> None:
    roads = graph(*SQUARE, turns=(turn("no_left_turn", 50, 1, 10),))
    ends = [RoadPlace(number, share) for number, share in product(range(len(roads.edges)), (0.0, 0.3, 1.0))]
    start = RoadPlace(4, 0.25)
    together = find_routes(roads, start, ends)
    assert together == [find_routes(roads, start, [end])[0] for end in ends]


# --- random towns, against relaxing every turn until nothing changes --------------------------------------------------

NODES = range(6)
edges_of_towns = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from(NODES), st.integers(1, 9), st.sampled_from("><=")),
    min_size=1,
    max_size=9,
)
turns_of_towns = st.lists(
    st.tuples(
        st.sampled_from(("no_left_turn", "only_right_turn")),
        st.integers(0, 8),
        st.sampled_from(NODES),
        st.integers(0, 8),
    ),
    max_size=3,
)


def relaxed(
    rows: list[EdgeRow], turns: list[TurnRow], blocked: set[int], start: int
) -> dict[tuple[int, bool], float]:
    """Seconds from the middle of an edge to the far end of each edge, (edge, along its line)."""
    moves = [
        (number, along)
        for number, row in enumerate(rows)
        for along in (True, False)
        if (row.forward_kmh if along else row.backward_kmh)
    ]

    def ends(move: tuple[int, bool]) -> tuple[int, int]:
        row = rows[move[0]]
        return (row.from_node, row.to_node) if move[1] else (row.to_node, row.from_node)

    def allowed(one: tuple[int, bool], other: tuple[int, bool]) -> bool:
        node = ends(one)[1]
        if ends(other)[0] != node:
            return False
        back = one[0] == other[0] and one[1] != other[1]
        if node in blocked:
            return back
        if back and any(ends(move)[1] == node for move in moves if move[0] != one[0]):
            return False
        here = [turn for turn in turns if turn.via_node == node and rows[one[0]].way_id in turn.from_ways]
        said_only = [turn.to_ways[0] for turn in here if turn.klass.startswith("only")]
        if any(turn.klass.startswith("no") and rows[other[0]].way_id in turn.to_ways for turn in here):
            return False
        return not said_only or rows[other[0]].way_id in said_only

    def steps() -> Iterator[tuple[tuple[int, bool], tuple[int, bool]]]:
        return ((one, other) for one, other in product(moves, moves) if allowed(one, other))

    links = list(steps())
    costs = {move: rows[start].length_m / 20 for move in moves if move[0] == start}
    for _ in range(len(moves) + 1):
        for one, other in links:
            if one in costs:
                cost = costs[one] + rows[other[0]].length_m / 10
                costs[other] = min(cost, costs.get(other, cost))
    return costs


@given(edges_of_towns, turns_of_towns, st.sets(st.sampled_from(NODES), max_size=1))
def test_random_towns(
    drawn: list[tuple[int, int, int, str]], said: list[tuple[str, int, int, int]], blocked: set[int]
) -> None:
    rows = [
        edge(number, start, end, metres * 10, ways) for number, (start, end, metres, ways) in enumerate(drawn)
    ]
    turns = [turn(klass, before, via, after) for klass, before, via, after in said]
    roads = graph(*rows, turns=tuple(turns), blocked=tuple(blocked))
    costs = relaxed(rows, turns, blocked, 0)
    for number in range(1, len(rows)):
        for share, along in ((1.0, True), (0.0, False)):
            (found,) = find_routes(roads, RoadPlace(0, 0.5), [RoadPlace(number, share)])
            reached = (
                [costs[number, True] if along else costs[number, False]] if (number, along) in costs else []
            )
            # an end of an edge may be met against its line, too, as soon as one enters it there
            entered = [
                costs[number, not along] - rows[number].length_m / 10
                for _ in (0,)
                if (number, not along) in costs
            ]
            expected = min([*reached, *entered], default=None)
            assert (found is None) == (expected is None)
            if found is not None and expected is not None:
                assert found.seconds == pytest.approx(expected)
