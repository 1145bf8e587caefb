"""Splitting lines into edges, and the connected parts of a network: properties, and towns small enough to check by hand."""

from array import array
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from osm_import.road_edges import Edges, find_ends, split_lines
from osm_import.road_nodes import RoadNodes
from osm_import.road_parts import NO_PART, find_parts
from osm_import.wkb import LINE

WGS84 = Geod(ellps="WGS84")


def place(node: int) -> tuple[float, float]:
    """Where a node is: no two at one place."""
    return 9.5 + node % 7 * 0.001, 47 + node // 7 * 0.001


def split(ways: list[list[int]], stops: set[int] = frozenset(), wanted: list[bool] | None = None) -> Edges:  # type: ignore[assignment]
    roads = RoadNodes()
    for number, nodes in enumerate(ways):
        degrees = array("d", [degree for node in nodes for degree in place(node)])
        roads.note(number + 100, [f"n{node}" for node in nodes], degrees)
    flags = np.array([True] * len(ways) if wanted is None else wanted, dtype=bool)
    return split_lines(roads.lines(), flags, stops)


def as_lists(edges: Edges) -> list[tuple[int, list[int]]]:
    """Way and nodes of each edge."""
    return [
        (int(way), edges.nodes[first : last + 1].tolist())
        for way, first, last in zip(edges.way, edges.first, edges.last, strict=True)
    ]


def test_a_way_is_split_where_another_meets_it() -> None:
    assert as_lists(split([[1, 2, 3, 4], [3, 9]])) == [(0, [1, 2, 3]), (0, [3, 4]), (1, [3, 9])]


def test_a_way_that_meets_itself_is_split_there() -> None:
    assert as_lists(split([[1, 2, 3, 4, 2]])) == [(0, [1, 2]), (0, [2, 3, 4, 2])]


def test_a_ring_is_one_edge() -> None:
    assert as_lists(split([[1, 2, 3, 1]])) == [(0, [1, 2, 3, 1])]


def test_stops_split_and_ends_stay() -> None:
    edges = split([[1, 2, 3, 4]], {3, 1, 77})
    assert as_lists(edges) == [(0, [1, 2, 3]), (0, [3, 4])]
    assert edges.position.tolist() == [1, 2]


def test_a_node_that_is_repeated_counts_once() -> None:
    assert as_lists(split([[1, 1, 2, 3, 3]])) == [(0, [1, 2, 3])]
    assert as_lists(split([[1, 1]])) == []


def test_ways_that_are_not_wanted_split_others_and_have_no_edges() -> None:
    assert as_lists(split([[1, 2, 3], [2, 9]], wanted=[True, False])) == [(0, [1, 2]), (0, [2, 3])]


def test_nothing_gives_nothing() -> None:
    assert as_lists(split([])) == []
    assert list(split([]).places()) == []


def test_the_ends_of_ways() -> None:
    roads = RoadNodes()
    roads.note(5, ["n1", "n2"], array("d", [0, 0, 1, 1]))
    roads.note(6, ["n2", "n3", "n2"], array("d", [1, 1, 2, 2, 1, 1]))
    assert find_ends(roads.lines(), {5, 6, 7}) == {5: (1, 2), 6: (2, 2)}


ways = st.lists(st.lists(st.integers(0, 30), min_size=2, max_size=8), max_size=8)


@given(ways, st.sets(st.integers(0, 30), max_size=5))
def test_edges_in_their_order_are_the_ways(lines: list[list[int]], stops: set[int]) -> None:
    edges = split(lines, stops)
    shortened = [
        [node for node, before in zip(line, [None, *line], strict=False) if node != before] for line in lines
    ]
    passed = Counter(node for line in lines for node in line)
    found: dict[int, list[list[int]]] = {}
    for way, nodes in as_lists(edges):
        found.setdefault(way, []).append(nodes)
        assert len(nodes) > 1
        assert all(passed[node] == 1 and node not in stops for node in nodes[1:-1])
    for index, line in enumerate(shortened):
        parts = found.get(index, [])
        assert [node for part in parts for node in part[1:]] == line[1:]
        assert all(one[-1] == other[0] for one, other in pairwise(parts))
        length = WGS84.line_length(*zip(*map(place, line), strict=True))
        assert edges.metres[edges.way == index].sum() == pytest.approx(length, abs=1e-9)
        assert edges.position[edges.way == index].tolist() == list(range(1, len(parts) + 1))


@given(ways)
def test_the_line_of_an_edge_is_that_of_its_nodes(lines: list[list[int]]) -> None:
    edges = split(lines)
    for (_, nodes), points in zip(as_lists(edges), edges.places(), strict=True):
        line: Any = shapely.from_wkb(LINE + points)
        assert list(line.coords) == [place(node) for node in nodes]


# --- connected parts ------------------------------------------------------------------------------------------------


def parts_of(*edges: tuple[int, int, str], blocked: tuple[int, ...] = ()) -> list[int]:
    """The part of each edge (from, to, `>` forwards, `<` backwards, `=` both, `-` neither)."""
    start, end = (np.array([edge[side] for edge in edges], dtype=np.int64) for side in (0, 1))
    forward, backward = (np.array([edge[2] in signs for edge in edges], dtype=bool) for signs in (">=", "<="))
    return find_parts(start, end, forward, backward, np.array(blocked, dtype=np.int64)).tolist()


def test_the_largest_part_is_the_first() -> None:
    assert parts_of((1, 2, "="), (5, 6, "="), (6, 7, "=")) == [2, 1, 1]


def test_of_parts_of_one_size_the_first_is_the_first() -> None:
    assert parts_of((8, 9, "="), (1, 2, "=")) == [1, 2]


def test_a_ring_of_oneways_is_a_part_and_what_leads_out_is_none() -> None:
    assert parts_of((1, 2, ">"), (2, 3, ">"), (1, 3, "<"), (3, 4, ">"), (4, 5, "=")) == [1, 1, 1, NO_PART, 2]


def test_edges_that_are_closed_are_in_no_part() -> None:
    assert parts_of((1, 2, "-"), (2, 3, "=")) == [NO_PART, 1]
    assert parts_of((1, 2, "-")) == [NO_PART]
    assert parts_of() == []


def test_a_blocked_node_parts() -> None:
    assert parts_of((1, 2, "="), (2, 3, "="), (3, 4, "="), blocked=(2,)) == [2, 1, 1]


def test_a_loop_at_a_blocked_node_is_a_part_of_its_own() -> None:
    assert parts_of((1, 2, "="), (2, 2, "="), blocked=(2,)) == [1, 2]


edges_of_graph = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("><=-")), min_size=1, max_size=25
)


@given(edges_of_graph, st.sets(st.integers(0, 9), max_size=3))
def test_parts_are_what_can_be_reached_from_each_other(
    edges: list[tuple[int, int, str]], blocked: set[int]
) -> None:
    def ends(index: int) -> tuple[Any, Any]:
        start, end, _ = edges[index]
        return tuple(
            (node, index, side) if node in blocked else node for side, node in enumerate((start, end))
        )  # type: ignore[return-value]

    steps: dict[Any, set[Any]] = {}
    for index, (_, _, sign) in enumerate(edges):
        start, end = ends(index)
        if sign in ">=":
            steps.setdefault(start, set()).add(end)
        if sign in "<=":
            steps.setdefault(end, set()).add(start)

    def reach(origin: Any) -> set[Any]:
        seen, waiting = {origin}, [origin]
        while waiting:
            for vertex in steps.get(waiting.pop(), ()):
                if vertex not in seen:
                    seen.add(vertex)
                    waiting.append(vertex)
        return seen

    found = parts_of(*edges, blocked=tuple(blocked))
    for one, (_, _, sign) in enumerate(edges):
        start, end = ends(one)
        inside = sign != "-" and start in reach(end) and end in reach(start)
        assert (found[one] != NO_PART) == inside
        for other in range(one):
            if found[one] and found[other]:
                together = ends(other)[0] in reach(start) and start in reach(ends(other)[0])
                assert (found[one] == found[other]) == together
    sizes = Counter(part for part in found if part)
    assert [sizes[part] for part in sorted(sizes)] == sorted(sizes.values(), reverse=True)
