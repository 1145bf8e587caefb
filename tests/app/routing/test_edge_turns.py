"""Restrictions over ways, told edge by edge: one way of two edges, one of one edge, and one between."""

from app.questions.second_path.reading import EdgeRow, TurnRow
from app.routing.restrictions import EdgeTurn, tell_by_edge


def edge(way: int, position: int, start: int, end: int) -> EdgeRow:
    return EdgeRow(way, position, start, end, 100.0, 36.0, 36.0, False, 1)


# Way 1: nodes 1, 2, 3 (edges 0 and 1); way 2: nodes 3, 4 (edge 2); way 3: nodes 5, 4 (edge 3); way 4: 2, 6 (edge 4).
EDGES = [edge(1, 1, 1, 2), edge(1, 2, 2, 3), edge(2, 1, 3, 4), edge(3, 1, 5, 4), edge(4, 1, 2, 6)]


def turn(klass: str, before: int, node: int | None, via: tuple[int, ...], after: int) -> TurnRow:
    return TurnRow(1, klass, (before,), node, via, (after,))


def test_every_edge_of_a_way_at_the_node_is_told() -> None:
    assert tell_by_edge(EDGES, [turn("no_left_turn", 1, 2, (), 4)]) == [
        EdgeTurn("no_left_turn", 0, 2, (), 4),
        EdgeTurn("no_left_turn", 1, 2, (), 4),
    ]
    assert tell_by_edge(EDGES, [turn("no_left_turn", 1, 3, (), 2)]) == [EdgeTurn("no_left_turn", 1, 3, (), 2)]


def test_who_may_not_turn_back_may_go_on() -> None:
    assert tell_by_edge(EDGES, [turn("no_u_turn", 1, 2, (), 1)]) == [
        EdgeTurn("no_u_turn", 0, 2, (), 0),
        EdgeTurn("no_u_turn", 1, 2, (), 1),
    ]


def test_who_must_go_where_the_mode_may_not_goes_nowhere() -> None:
    """Way 9 is not in the network of the mode."""
    assert tell_by_edge(EDGES, [turn("only_straight_on", 4, 2, (), 9)]) == [
        EdgeTurn("no_straight_on", 4, 2, (), after) for after in (0, 1, 4)
    ]


def test_ways_between_are_told_in_the_order_of_travel() -> None:
    assert tell_by_edge(EDGES, [turn("no_u_turn", 1, None, (2,), 3)]) == [
        EdgeTurn("no_u_turn", 1, None, (2,), 3)
    ]
    along_two_edges = turn("only_straight_on", 2, None, (1,), 4)
    assert tell_by_edge([*EDGES, edge(5, 1, 1, 7)], [along_two_edges._replace(to_ways=(5,))]) == [
        EdgeTurn("only_straight_on", 2, None, (1, 0), 5)
    ]


def test_what_does_not_hang_together_is_left_out() -> None:
    """A cut of a map may hold parts of ways only."""
    assert tell_by_edge(EDGES[1:], [turn("no_u_turn", 4, None, (3,), 2)]) == []
    assert tell_by_edge(EDGES, [turn("no_left_turn", 9, 2, (), 4)]) == []
