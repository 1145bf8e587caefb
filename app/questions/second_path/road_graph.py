"""Second path: the roads of one mode as arcs, and which turns from arc to arc are allowed. Pure.

An arc is an edge in one direction: number 2 · edge along its line, and one more against it. Times are seconds, lengths
metres.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from app.questions.second_path.reading import EdgeRow, RoadRows, TurnRow

ENTERING_S = 3000.0
"""What it costs to enter roads that are for their own places only, beside the time: nobody passes through them to be
faster, and everybody gets to places on them."""
METRES_A_SECOND = 1 / 3.6

Watch = tuple[tuple[int, int], ...]
"""Chains of ways that one is on: number of the chain, and the place in it of the arc that one is on."""


class _Chain(NamedTuple):
    """A turn restriction over ways: who comes off `before` and takes all `arcs` must heed it at their end."""

    arcs: tuple[int, ...]
    before: frozenset[int]
    ways: frozenset[int]
    only: bool


class _NodeTurns(NamedTuple):
    """What restrictions say to those who come from one way to one node."""

    forbidden: set[int]
    back: set[int]
    """Ways on which one must not turn back; going on along them is allowed."""
    only: set[int]


class RoadGraph:
    """The network of one mode."""

    def __init__(self, rows: RoadRows) -> None:
        self.edges: Sequence[EdgeRow] = sorted(rows.edges, key=lambda edge: (edge.way_id, edge.position))
        self._blocked = rows.blocked
        self._seconds = [_seconds(edge, side) for edge in self.edges for side in (0, 1)]
        self._tails = [node for edge in self.edges for node in (edge.from_node, edge.to_node)]
        self._outgoing: dict[int, list[int]] = {}
        self._incoming: dict[int, list[int]] = {}
        self._of_way: dict[int, list[int]] = {}
        for number, edge in enumerate(self.edges):
            self._of_way.setdefault(edge.way_id, []).append(number)
            for arc in (2 * number, 2 * number + 1):
                if self.seconds(arc) is not None:
                    self._outgoing.setdefault(self.tail(arc), []).append(arc)
                    self._incoming.setdefault(self.head(arc), []).append(arc)
        self._at_nodes: dict[tuple[int, int], _NodeTurns] = {}
        self._chains: list[_Chain] = []
        for turn in rows.turns:
            self._note_turn(turn)
        self._begin: dict[int, list[int]] = {}
        for number, chain in enumerate(self._chains):
            self._begin.setdefault(chain.arcs[0], []).append(number)

    # --- arcs -------------------------------------------------------------------------------------------

    def tail(self, arc: int) -> int:
        """The node where an arc begins."""
        return self._tails[arc]

    def head(self, arc: int) -> int:
        """The node where it ends."""
        return self._tails[arc ^ 1]

    def seconds(self, arc: int) -> float | None:
        """How long it takes, None where the mode may not go there."""
        return self._seconds[arc]

    def entering(self, arc: int, after: int) -> float:
        """What it costs, beside the time, to come from one arc to another."""
        enters = self.edges[after >> 1].destination and not self.edges[arc >> 1].destination
        return ENTERING_S if enters else 0.0

    def leaving(self, node: int) -> Sequence[int]:
        """The arcs that begin at a node, whatever turns are allowed."""
        return self._outgoing.get(node, ())

    # --- turns ------------------------------------------------------------------------------------------

    def turns(self, arc: int, watch: Watch) -> Iterator[tuple[int, Watch]]:
        """The arcs that one may take next, each with what one watches then."""
        for after in self._outgoing.get(self.head(arc), ()):
            if self._turns_at_node(arc, after) and self._turns_off_chains(after, watch):
                yield after, self._watch(arc, after, watch)

    def _turns_at_node(self, arc: int, after: int) -> bool:
        node, back = self.head(arc), after == arc ^ 1
        if node in self._blocked:
            return back
        if back and not self._is_dead_end(arc):
            return False
        told = self._at_nodes.get((self.edges[arc >> 1].way_id, node))
        if told is None:
            return True
        way = self.edges[after >> 1].way_id
        if way in told.forbidden or (back and way in told.back):
            return False
        return not told.only or way in told.only

    def _is_dead_end(self, arc: int) -> bool:
        """Whether one may turn back at an arc's head: no other edge leads there."""
        return all(other >> 1 == arc >> 1 for other in self._incoming.get(self.head(arc), ()))

    def _turns_off_chains(self, after: int, watch: Watch) -> bool:
        way = self.edges[after >> 1].way_id
        for number, place in watch:
            chain = self._chains[number]
            if place == len(chain.arcs) - 1 and (way in chain.ways) != chain.only:
                return False
        return True

    def _watch(self, arc: int, after: int, watch: Watch) -> Watch:
        """What one watches on the arc `after`."""
        on = [
            (number, place + 1)
            for number, place in watch
            if place + 1 < len(self._chains[number].arcs) and self._chains[number].arcs[place + 1] == after
        ]
        on += [(number, 0) for number in self._begin.get(after, ()) if arc in self._chains[number].before]
        return tuple(sorted(on))

    # --- reading restrictions ----------------------------------------------------------------------------

    def _note_turn(self, turn: TurnRow) -> None:
        if turn.via_node is None:
            self._chains.extend(self._find_chains(turn))
            return
        only = turn.klass.startswith("only_")
        for way in turn.from_ways:
            told = self._at_nodes.setdefault((way, turn.via_node), _NodeTurns(set(), set(), set()))
            if only:
                told.only.update(turn.to_ways)
            elif turn.klass == "no_u_turn":
                told.back.update(one for one in turn.to_ways if one == way)
                told.forbidden.update(one for one in turn.to_ways if one != way)
            else:
                told.forbidden.update(turn.to_ways)

    def _find_chains(self, turn: TurnRow) -> Iterator[_Chain]:
        """The arcs along the ways of a restriction, from each way that one comes from."""
        for before in turn.from_ways:
            for start in sorted(self._ends(before)):
                arcs = self._follow(start, turn.via_ways)
                if arcs:
                    incoming = self._incoming.get(start, ())
                    coming = frozenset(arc for arc in incoming if self.edges[arc >> 1].way_id == before)
                    yield _Chain(arcs, coming, frozenset(turn.to_ways), turn.klass.startswith("only_"))

    def _follow(self, node: int, ways: Sequence[int]) -> tuple[int, ...]:
        """The arcs along whole ways, one after the other, from a node on; empty where they do not lead on from it."""
        arcs: list[int] = []
        for way in ways:
            along = [2 * number for number in self._of_way.get(way, ())]
            against = [arc + 1 for arc in reversed(along)]
            taken = next((one for one in (along, against) if one and self.tail(one[0]) == node), None)
            if taken is None:
                return ()
            arcs += taken
            node = self.head(taken[-1])
        if any(self.head(one) != self.tail(other) for one, other in pairwise(arcs)):
            return ()  # a cut of a map may hold parts of a way
        return tuple(arcs)

    def _ends(self, way: int) -> set[int]:
        numbers = self._of_way.get(way)
        return {self.tail(2 * numbers[0]), self.head(2 * numbers[-1])} if numbers else set()


def _seconds(edge: EdgeRow, side: int) -> float | None:
    """How long an edge takes along its line (side 0), or against it."""
    kmh = edge.backward_kmh if side else edge.forward_kmh
    return edge.length_m / (kmh * METRES_A_SECOND) if kmh else None
