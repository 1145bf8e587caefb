"""Import stage: the lines of roads and ferries, node by node, in arrays of 24 bytes a node; which nodes roads share.

A junction is a node of two or more roads, never a geometric crossing. road_edges.py makes the road network of the same
lines.
"""

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from osm_import.features import Junction
from osm_import.wkb import point_wkb

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class RoadLines(NamedTuple):
    """Lines one behind the other; a position is an index into `nodes`."""

    ways: Ints
    starts: Ints
    """The position of each way's first node; one more at the end."""
    nodes: Ints
    degrees: Floats
    """(nodes, 2): lon, lat."""
    shared: Flags
    """By position: whether the node is at another position too, in the same way or in another."""


class RoadNodes:
    """Notes the nodes of every road that is kept, and those of ferries, which make no junction."""

    def __init__(self) -> None:
        self._nodes = array("q")
        self._degrees = array("d")
        self._ways = array("q")
        self._lengths = array("q")
        self._ferries: set[int] = set()

    def note(
        self, way_id: int, node_ids: Sequence[str], degrees: "array[float]", *, ferry: bool = False
    ) -> None:
        """A line, its nodes as `n123` and their places: lon, lat, lon, lat …"""
        self._nodes.extend([int(node[1:]) for node in node_ids])
        self._degrees.extend(degrees)
        self._ways.append(way_id)
        self._lengths.append(len(node_ids))
        if ferry:
            self._ferries.add(way_id)

    def shared(self) -> Iterator[Junction]:
        """The nodes that two or more roads share, by id, each with its ways in the order of the file."""
        nodes, order, starts, ends = self._ranked
        many = ends - starts > 1
        owner = np.repeat(np.arange(len(self._ways)), np.frombuffer(self._lengths, dtype=np.int64))
        for start, end in zip(starts[many].tolist(), ends[many].tolist(), strict=True):
            at = order[start:end]
            ways = list(dict.fromkeys(self._ways[index] for index in owner[at].tolist()))
            if self._ferries:
                ways = [way for way in ways if way not in self._ferries]
            if len(ways) > 1:
                place = 2 * int(at[0])
                yield Junction(int(nodes[at[0]]), ways, point_wkb(*self._degrees[place : place + 2]))

    def lines(self) -> RoadLines:
        """All that was noted; nothing may be noted afterwards."""
        nodes, order, starts, ends = self._ranked
        shared = np.zeros(len(nodes), dtype=bool)
        shared[order] = np.repeat(ends - starts > 1, ends - starts)
        return RoadLines(
            np.frombuffer(self._ways, dtype=np.int64),
            np.r_[0, np.cumsum(np.frombuffer(self._lengths, dtype=np.int64))].astype(np.int64),
            nodes,
            np.frombuffer(self._degrees, dtype=np.float64).reshape(-1, 2),
            shared,
        )

    @cached_property
    def _ranked(self) -> tuple[Ints, Ints, Ints, Ints]:
        """The nodes, their positions ranked by id, and where each id's run of equal ones starts and ends in that."""
        nodes = np.frombuffer(self._nodes, dtype=np.int64)
        order = np.argsort(nodes, kind="stable")
        ranked = nodes[order]
        starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]]) if len(ranked) else ranked
        return nodes, order, starts, np.r_[starts[1:], len(ranked)].astype(np.int64)
