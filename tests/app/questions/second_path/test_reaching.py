"""What is reached within a limit: counted by hand, and on random roads the same as the fastest routes say."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.questions.second_path.reaching import Measure, find_reach
from app.questions.second_path.reading import EdgeRow, RoadRows, TurnRow
from app.questions.second_path.road_graph import RoadGraph
from app.questions.second_path.routes import RoadPlace, find_routes

KMH = 36.0
"""Ten metres a second."""
SHARES = [step / 8 for step in range(9)]


def edge(
    way: int, start: int, end: int, metres: float = 100, ways: str = "=", destination: bool = False
) -> EdgeRow:
    """An edge: `>` oneway along its line, `<` against it, `=` both."""
    forward, backward = (KMH if ways in signs else None for signs in (">=", "<="))
    return EdgeRow(way, 1, start, end, metres, forward, backward, destination, 1)


def graph(*edges: EdgeRow, turns: tuple[TurnRow, ...] = (), blocked: tuple[int, ...] = ()) -> RoadGraph:
    return RoadGraph(RoadRows(edges, turns, frozenset(blocked)))


def parts(roads: RoadGraph, start: RoadPlace, most: float, measure: Measure = "seconds") -> list[Any]:
    return [
        (one.edge, pytest.approx(one.start), pytest.approx(one.end))
        for one in find_reach(roads, start, most, measure).parts()
    ]


def test_an_edge_is_reached_in_part() -> None:
    roads = graph(edge(1, 1, 2), edge(2, 2, 3), edge(3, 2, 4, ways="<"))
    assert parts(roads, RoadPlace(0, 0.5), 8) == [(0, 0, 1), (1, 0, 0.3)]
    assert parts(roads, RoadPlace(0, 0.5), 2) == [(0, 0.3, 0.7)]
    assert parts(roads, RoadPlace(0, 0.5), 30, "metres") == [(0, 0.2, 0.8)]


def test_an_edge_is_reached_from_both_ends() -> None:
    """A triangle: the far side is 150 m away on both ways round, and its middle is not reached."""
    roads = graph(edge(1, 1, 2), edge(2, 2, 3), edge(3, 3, 1))
    assert parts(roads, RoadPlace(0, 0.5), 14) == [(0, 0, 1), (1, 0, 0.9), (2, 0.1, 1)]
    assert parts(roads, RoadPlace(0, 0.5), 15) == [(0, 0, 1), (1, 0, 1), (2, 0, 1)]


def test_a_part_beyond_a_slower_way_counts_by_the_fastest_way() -> None:
    """Nobody passes through 2, which is for its own places, while 3 leads round it, however long that takes."""
    roads = graph(edge(1, 1, 2), edge(2, 2, 3, destination=True), edge(3, 2, 3, 900), edge(4, 3, 4))
    reached = find_reach(roads, RoadPlace(0, 1.0), 50, "seconds")
    assert reached.find(RoadPlace(1, 0.5)) is not None
    assert reached.find(RoadPlace(3, 0.1)) is None
    assert parts(roads, RoadPlace(0, 1.0), 50) == [(0, 0, 1), (1, 0, 1), (2, 0, 5 / 9)]


@st.composite
def roads(draw: st.DrawFn) -> RoadGraph:
    nodes = st.integers(1, 6)
    rows = draw(
        st.lists(
            st.tuples(nodes, nodes, st.integers(1, 40), st.sampled_from("=><"), st.booleans()).filter(
                lambda one: one[0] != one[1]
            ),
            min_size=1,
            max_size=9,
        )
    )
    edges = [
        edge(way, one, other, 10.0 * length, ways, own)
        for way, (one, other, length, ways, own) in enumerate(rows, 1)
    ]
    ways = st.integers(1, len(edges))
    turns = draw(
        st.lists(
            st.tuples(st.sampled_from(["no_left_turn", "only_straight_on"]), ways, nodes, ways), max_size=3
        )
    )
    told = [
        TurnRow(number, kind, (before,), via, (), (after,))
        for number, (kind, before, via, after) in enumerate(turns)
    ]
    return RoadGraph(RoadRows(edges, told, frozenset(draw(st.lists(nodes, max_size=1)))))


@settings(max_examples=150, deadline=None)
@given(roads(), st.data())
def test_a_place_is_reached_as_its_fastest_route_says(network: RoadGraph, data: st.DataObject) -> None:
    number = st.integers(0, len(network.edges) - 1)
    start = RoadPlace(data.draw(number), data.draw(st.sampled_from(SHARES)))
    measure: Measure = data.draw(st.sampled_from(["seconds", "metres"]))
    most = data.draw(st.integers(1, 120)) + 0.123
    reached = find_reach(network, start, most, measure)
    places = [RoadPlace(one, share) for one in range(len(network.edges)) for share in SHARES]
    inside = list(reached.parts())
    for place, route in zip(places, find_routes(network, start, places), strict=True):
        keeps = route is not None and getattr(route, measure) <= most
        found = reached.find(place)
        assert (found is not None) == keeps
        if found is not None and route is not None:
            assert found.seconds == pytest.approx(route.seconds, abs=1e-6)
        if place.share not in (0.0, 1.0):
            assert (
                any(one.edge == place.edge and one.start <= place.share <= one.end for one in inside) == keeps
            )
