"""Import stage: which nodes the roads share. Keeps the nodes of every kept road, 24 bytes each, in arrays."""

from array import array
from collections.abc import Iterator

import numpy as np

from osm_import.features import Junction
from osm_import.wkb import point_wkb


class RoadNodes:
    """Notes the nodes of roads; a junction is a node of two or more of them, never a geometric crossing."""

    def __init__(self) -> None:
        self._nodes = array("q")
        self._degrees = array("d")
        self._ways = array("q")
        self._lengths = array("q")

    def note(self, way_id: int, node_ids: list[str], degrees: "array[float]") -> None:
        """A road, its nodes as `n123` and their places: lon, lat, lon, lat …"""
        self._nodes.extend([int(node[1:]) for node in node_ids])
        self._degrees.extend(degrees)
        self._ways.append(way_id)
        self._lengths.append(len(node_ids))

    def shared(self) -> Iterator[Junction]:
        """The shared nodes by id, each with its ways in the order of the file."""
        nodes = np.frombuffer(self._nodes, dtype=np.int64)
        order = np.argsort(nodes, kind="stable")
        ranked = nodes[order]
        starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]]) if len(ranked) else ranked
        ends = np.r_[starts[1:], len(ranked)].astype(np.int64)
        many = ends - starts > 1
        owner = np.repeat(np.arange(len(self._ways)), np.frombuffer(self._lengths, dtype=np.int64))
        for start, end in zip(starts[many].tolist(), ends[many].tolist(), strict=True):
            at = order[start:end]
            ways = list(dict.fromkeys(self._ways[index] for index in owner[at].tolist()))
            if len(ways) > 1:
                place = 2 * int(at[0])
                yield Junction(int(ranked[start]), ways, point_wkb(*self._degrees[place : place + 2]))
