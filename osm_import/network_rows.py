"""Import stage: the rows of the road network: edges, barriers and turn restrictions, made of what was noted.

Invariant: the edges of a way, in their order, are the way; every turn restriction comes out once for each of its kinds,
or once as a Reject. Lengths are metres along WGS84 geodesics, speeds km/h, coordinates lon, lat in degrees.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from osm_import.copy_cells import NULL, write_cells
from osm_import.features import Reject, RoadBarrier
from osm_import.road_edges import Edges, find_ends, split_lines
from osm_import.road_nodes import Flags, Ints, RoadLines
from osm_import.road_parts import find_parts
from osm_import.travel_table import MODES, travel_table
from osm_import.travelling import CLOSED, FERRY, Barrier, Passage, Travel
from osm_import.turn_restrictions import Network, RestrictionRelation, TurnRestriction, resolve_all
from osm_import.wkb import LINE, ewkb_hex, point_wkb

KMH_PER_METRE_A_SECOND = 3.6


class WayTravel(NamedTuple):
    """How a way is travelled, and what its edges tell of it, as COPY reads it."""

    travel: Travel
    told: str
    """The cells of name, ref, class, surface and roundabout."""
    cells: str
    """`told`, then those of speeds and destination of each mode."""

    @property
    def is_ferry(self) -> bool:
        """Whether it is the line of a ferry."""
        return self.travel.klass == FERRY

    def untimed(self) -> "WayTravel":
        """The same way, as if it did not say how long a ferry takes."""
        return self._replace(travel=self.travel._replace(seconds=None))


def describe(travel: Travel, stored: Mapping[str, str]) -> WayTravel:
    """A way by its travel, and by those of its tags that are kept."""
    own = (
        stored.get("name") or None,
        stored.get("ref"),
        travel.klass,
        stored.get("surface"),
        travel.roundabout,
    )
    told = write_cells(own)
    return WayTravel(travel, told, f"{told}\t{_passage_cells(travel.passages)}")


class NetworkRows:
    """The rows of one extract's network.

    `travels` has one for each line, None where nobody may go; `barriers` may be nodes that no line has.
    """

    def __init__(
        self,
        lines: RoadLines,
        travels: Sequence[WayTravel | None],
        barriers: Mapping[int, Barrier],
        relations: Sequence[RestrictionRelation],
    ) -> None:
        self._lines = lines
        self._travels = travels
        self._wanted: Flags = np.fromiter(
            (one is not None for one in travels), dtype=bool, count=len(travels)
        )
        self._barriers = barriers
        self._relations = relations

    @cached_property
    def restrictions(self) -> list[TurnRestriction | Reject]:
        """All turn restrictions, and what cannot be read as one, by relation."""
        ways = {way for one in self._relations for way in one.ways}
        known = set(self._lines.ways[self._wanted].tolist())
        ends = find_ends(self._lines, ways & known)
        nodes = {node for one in self._relations for node in one.via_nodes}
        nodes.update(node for both in ends.values() for node in both)
        network = Network(ends, *self._find_nodes(nodes))
        return list(resolve_all(self._relations, network, travel_table()))

    def barriers(self) -> Iterator[RoadBarrier]:
        """The barriers on edges, by node."""
        edges = self._edges
        at = np.flatnonzero(np.isin(edges.nodes, self._nodes_of(self._barriers)))
        nodes, first = np.unique(edges.nodes[at], return_index=True)
        for node, place in zip(nodes.tolist(), edges.degrees[at[first]].tolist(), strict=True):
            yield RoadBarrier(node, self._barriers[node], point_wkb(*place))

    def edge_lines(self) -> Iterator[str]:
        """The edges as lines of COPY, in the order of EDGE_COLUMNS."""
        edges = self._edges
        header = ewkb_hex(LINE)
        ways, cells = self._lines.ways.tolist(), self._cells()
        columns = (edges.way, edges.position, edges.from_node, edges.to_node, edges.metres, *self._parts())
        rows = zip(*(column.tolist() for column in columns), edges.places(), strict=True)
        for way, position, start, end, metres, car, bicycle, foot, places in rows:
            parts = f"{car or NULL}\t{bicycle or NULL}\t{foot or NULL}"
            yield (
                f"{ways[way]}\t{position}\t{start}\t{end}\t{metres!r}\t{header}{places}\t{parts}\t{cells[way]}\n"
            )

    @cached_property
    def _edges(self) -> Edges:
        turns = {one.start for one in self.restrictions if isinstance(one, TurnRestriction)}
        return split_lines(self._lines, self._wanted, {*self._barriers, *turns})

    def _find_nodes(self, wanted: Collection[int]) -> tuple[dict[int, set[int]], dict[int, str]]:
        """The lines that have these nodes, and the nodes' places as WKB."""
        lines = self._lines
        at = np.flatnonzero(np.isin(lines.nodes, self._nodes_of(wanted)))
        nodes = lines.nodes[at].tolist()
        owner = lines.ways[np.searchsorted(lines.starts, at, side="right") - 1]
        passed: dict[int, set[int]] = {}
        for node, way in zip(nodes, owner.tolist(), strict=True):
            passed.setdefault(node, set()).add(way)
        places = zip(nodes, lines.degrees[at].tolist(), strict=True)
        return passed, {node: point_wkb(*place) for node, place in places}

    def _parts(self) -> Iterator[Ints]:
        """The part that each edge is in, for each mode."""
        edges = self._edges
        for mode in range(len(MODES)):
            passages = [one.travel.passages[mode] if one else CLOSED for one in self._travels]
            forward, backward = (
                np.fromiter((speed is not None for speed in side), dtype=bool, count=len(passages))
                for side in ((one.forward for one in passages), (one.backward for one in passages))
            )
            blocked = [node for node, one in self._barriers.items() if not one.passable[mode]]
            yield find_parts(
                edges.from_node,
                edges.to_node,
                forward[edges.way],
                backward[edges.way],
                self._nodes_of(blocked),
            )

    def _cells(self) -> list[str]:
        """The cells that all edges of a line have, by line; a ferry that says how long it takes is as fast as that."""
        cells = [one.cells if one else "" for one in self._travels]
        edges = self._edges
        timed = {index: one for index, one in enumerate(self._travels) if one and one.travel.seconds}
        if timed:
            metres = np.bincount(edges.way, weights=edges.metres, minlength=len(cells))
            for index, one in timed.items():
                cells[index] = f"{one.told}\t{_passage_cells(_timed(one.travel, float(metres[index])))}"
        return cells

    @staticmethod
    def _nodes_of(nodes: Collection[int]) -> Ints:
        return np.fromiter(nodes, dtype=np.int64, count=len(nodes))


def _timed(travel: Travel, metres: float) -> Iterator[Passage]:
    """The passages of a ferry whose whole line has so many metres."""
    assert travel.seconds, "only a ferry that says how long it takes is timed"
    kmh = min(metres / travel.seconds * KMH_PER_METRE_A_SECOND, travel_table().speeds.most)
    for passage in travel.passages:
        forward, backward = (kmh if side and kmh else None for side in (passage.forward, passage.backward))
        yield Passage(forward, backward, passage.destination)


def _passage_cells(passages: Iterable[Passage]) -> str:
    return write_cells([value for passage in passages for value in passage])
