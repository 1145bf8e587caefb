"""Turn restrictions over ways, told edge by edge: OSRM reads relations whose members are the edges that we write out.

A restriction names ways, and a way may be many edges. So each is told for every edge of the way that one comes from and
goes to which touches the place of the turn, and for every edge along the ways between. Pure.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from app.questions.second_path.reading import EdgeRow, TurnRow


class EdgeTurn(NamedTuple):
    """A restriction over edges by their numbers; `via_edges` are empty where it turns at `via_node`."""

    klass: str
    before: int
    via_node: int | None
    via_edges: tuple[int, ...]
    after: int


class _Walk(NamedTuple):
    """Edges one after the other, and the nodes where they begin and end."""

    edges: tuple[int, ...]
    start: int
    end: int


def tell_by_edge(edges: Sequence[EdgeRow], turns: Sequence[TurnRow]) -> list[EdgeTurn]:
    """Every turn restriction as restrictions over edges, each once, in the order of `turns`."""
    of_way: dict[int, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        of_way[edge.way_id].append(number)
    told: dict[EdgeTurn, None] = {}
    for turn in turns:
        found = _at_node(edges, of_way, turn) if turn.via_node is not None else _along(edges, of_way, turn)
        told.update(dict.fromkeys(found))
    return list(told)


def _at_node(edges: Sequence[EdgeRow], of_way: dict[int, list[int]], turn: TurnRow) -> Iterator[EdgeTurn]:
    assert turn.via_node is not None
    if turn.klass.startswith("only_") and not any(
        _touching(edges, of_way[way], turn.via_node) for way in turn.to_ways
    ):
        yield from _close(edges, of_way, turn)
    for before_way in turn.from_ways:
        for after_way in turn.to_ways:
            for before in _touching(edges, of_way[before_way], turn.via_node):
                for after in _touching(edges, of_way[after_way], turn.via_node):
                    goes_on = before_way == after_way and before != after
                    if not (turn.klass == "no_u_turn" and goes_on):
                        yield EdgeTurn(turn.klass, before, turn.via_node, (), after)


def _close(edges: Sequence[EdgeRow], of_way: dict[int, list[int]], turn: TurnRow) -> Iterator[EdgeTurn]:
    """A restriction to ways that the mode may not travel: OSRM knows none of them, so every turn is forbidden."""
    assert turn.via_node is not None
    for before_way in turn.from_ways:
        for before in _touching(edges, of_way[before_way], turn.via_node):
            for after in _touching(edges, range(len(edges)), turn.via_node):
                yield EdgeTurn("no_straight_on", before, turn.via_node, (), after)


def _along(edges: Sequence[EdgeRow], of_way: dict[int, list[int]], turn: TurnRow) -> Iterator[EdgeTurn]:
    for before_way in turn.from_ways:
        before_walk = _walk(edges, of_way[before_way])
        for start in {before_walk.start, before_walk.end} if before_walk else ():
            via = _follow(edges, of_way, start, turn.via_ways)
            if via is None:
                continue
            for before in _touching(edges, of_way[before_way], start):
                for after_way in turn.to_ways:
                    for after in _touching(edges, of_way[after_way], via.end):
                        yield EdgeTurn(turn.klass, before, None, via.edges, after)


def _touching(edges: Sequence[EdgeRow], numbers: Sequence[int], node: int) -> list[int]:
    return [one for one in numbers if node in (edges[one].from_node, edges[one].to_node)]


def _walk(edges: Sequence[EdgeRow], numbers: Sequence[int]) -> _Walk | None:
    """The edges of a way from its beginning on; None where the map holds parts of it only."""
    if not numbers:
        return None
    for one, other in pairwise(numbers):
        if edges[one].to_node != edges[other].from_node:
            return None
    return _Walk(tuple(numbers), edges[numbers[0]].from_node, edges[numbers[-1]].to_node)


def _follow(
    edges: Sequence[EdgeRow], of_way: dict[int, list[int]], node: int, ways: Sequence[int]
) -> _Walk | None:
    """The edges along whole ways from a node on; None where they do not lead on from it."""
    start, followed = node, list[int]()
    for way in ways:
        walk = _walk(edges, of_way[way])
        if walk is not None and walk.start == node:
            followed += walk.edges
            node = walk.end
        elif walk is not None and walk.end == node:
            followed += walk.edges[::-1]
            node = walk.start
        else:
            return None
    return _Walk(tuple(followed), start, node)
