"""Import stage: the road network's edges: lines of roads and ferries, split where one can turn or has to stop.

A way is split at nodes that it shares with another way or passes twice, at barriers, where a turn restriction is, and
at its ends. Lengths are metres along WGS84 geodesics; coordinates are lon, lat in degrees; speeds are km/h.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from osm_import.features import GEOD
from osm_import.road_nodes import Flags, Floats, Ints, RoadLines
from osm_import.wkb import count_hex

STEPS_AT_ONCE = 1_000_000
"""Steps from a place to the next that are measured at once: that takes 56 bytes for each."""


class Edges(NamedTuple):
    """Edges in the order of ways, and of each way from its first node on; an index into a column is an edge.

    `nodes` and `degrees` (lon, lat) hold the lines, one behind the other; `first` and `last` are positions there.
    """

    nodes: Ints
    degrees: Floats
    way: Ints
    """Indexes into RoadLines.ways."""
    position: Ints
    """The edge's place in its way, from 1 on."""
    first: Ints
    last: Ints
    metres: Floats

    @property
    def from_node(self) -> Ints:
        """The node where each edge begins."""
        return self.nodes[self.first]

    @property
    def to_node(self) -> Ints:
        """The node where each edge ends."""
        return self.nodes[self.last]

    def places(self) -> Iterator[str]:
        """Each edge's line from its number of points on, as WKB has it in hexadecimal."""
        places = np.ascontiguousarray(self.degrees).reshape(-1).view(np.uint8).data
        for first, last in zip(self.first.tolist(), self.last.tolist(), strict=True):
            yield count_hex(last - first + 1) + places[16 * first : 16 * last + 16].hex()


def split_lines(lines: RoadLines, wanted: Flags, stops: Collection[int]) -> Edges:
    """The edges of the ways that are `wanted`, by index; they end at the nodes `stops`, too."""
    owner = np.repeat(np.arange(len(lines.ways)), np.diff(lines.starts))
    at = np.flatnonzero(wanted[owner] & ~_repeats(lines, owner))
    owner, nodes, degrees = owner[at], lines.nodes[at], lines.degrees[at]
    changes = owner[1:] != owner[:-1]
    cuts = np.r_[True, changes] | np.r_[changes, True] if len(at) else np.zeros(0, dtype=bool)
    cuts |= lines.shared[at]
    if stops:
        cuts |= np.isin(nodes, np.fromiter(stops, dtype=np.int64, count=len(stops)))
    cut = np.flatnonzero(cuts)
    inner = owner[cut[1:]] == owner[cut[:-1]]
    first, last = cut[:-1][inner], cut[1:][inner]
    way = owner[first]
    return Edges(nodes, degrees, way, _places_in_runs(way), first, last, _lengths(degrees, first, last))


def find_ends(lines: RoadLines, way_ids: Collection[int]) -> Mapping[int, tuple[int, int]]:
    """The first and the last node of each of these ways that is there."""
    index = np.flatnonzero(np.isin(lines.ways, np.fromiter(way_ids, dtype=np.int64, count=len(way_ids))))
    firsts, lasts = lines.nodes[lines.starts[index]], lines.nodes[lines.starts[index + 1] - 1]
    return dict(
        zip(lines.ways[index].tolist(), zip(firsts.tolist(), lasts.tolist(), strict=True), strict=True)
    )


def _repeats(lines: RoadLines, owner: Ints) -> Flags:
    """By position: whether the way has the same node just before."""
    same = np.zeros(len(lines.nodes), dtype=bool)
    same[1:] = (lines.nodes[1:] == lines.nodes[:-1]) & (owner[1:] == owner[:-1])
    return same


def _places_in_runs(values: Ints) -> Ints:
    """1, 2, 3 … anew for each run of equal values."""
    if not len(values):
        return values
    counted = np.arange(len(values))
    starts = np.r_[True, values[1:] != values[:-1]]
    return counted - np.maximum.accumulate(np.where(starts, counted, 0)) + 1


def _lengths(degrees: Floats, first: Ints, last: Ints) -> Floats:
    """Metres from each `first` to its `last`, along the points between; no two edges share a step."""
    if not len(first):
        return np.zeros(0)
    steps = [
        GEOD.inv(*part[:-1].T, *part[1:].T)[2]
        for part in (
            degrees[start : start + STEPS_AT_ONCE + 1] for start in range(0, len(degrees) - 1, STEPS_AT_ONCE)
        )
    ]
    bounds = np.stack((first, last), axis=1).ravel()
    # Behind the last place no step begins, and yet reduceat wants one there: it counts for no edge.
    return np.add.reduceat(np.concatenate([*steps, [0.0]]), bounds)[::2]
