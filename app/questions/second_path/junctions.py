"""Second path: how a way goes on from edge to edge: by how many degrees it turns, and whether it could turn otherwise.

A direction at a junction is that of the straight line from there to the point of the edge that is REACH_M away along
it, or to the edge's other end where that is nearer. Degrees, to the right where they are positive.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import shapely

from app.questions.second_path.geodesy import GEOD
from app.questions.second_path.road_graph import RoadGraph

REACH_M = 20.0


class Junction(NamedTuple):
    """Where a way goes from one edge to the next; edges by way and position."""

    before: tuple[int, int]
    after: tuple[int, int]
    degrees: float
    has_choice: bool
    """Whether one could go on along a third edge."""
    turns_back: bool


def find_junctions(graph: RoadGraph, lines: Sequence[Any], arcs: Sequence[int]) -> list[Junction]:
    """The junctions of a way that follows these arcs; `lines` are those of the graph's edges in lon, lat."""
    return [
        Junction(
            _named(graph, one),
            _named(graph, other),
            _degrees(_along(lines, one), _along(lines, other)),
            any(arc >> 1 not in (one >> 1, other >> 1) for arc in graph.leaving(graph.head(one))),
            one >> 1 == other >> 1,
        )
        for one, other in pairwise(arcs)
    ]


def _named(graph: RoadGraph, arc: int) -> tuple[int, int]:
    edge = graph.edges[arc >> 1]
    return edge.way_id, edge.position


def _along(lines: Sequence[Any], arc: int) -> Any:
    """The corners of an arc in the order in which one comes to them."""
    corners = shapely.get_coordinates(lines[arc >> 1])
    return corners[::-1] if arc & 1 else corners


def _degrees(before: Any, after: Any) -> float:
    """The change of direction; 0 where an edge has no length."""
    coming, going = _leaving(before[::-1]), _leaving(after)
    if coming is None or going is None:
        return 0.0
    return float((going - coming) % 360) - 180  # one looks back along the edge that one comes on


def _leaving(corners: Any) -> float | None:
    """The azimuth in which a line leaves its first corner."""
    lons, lats = corners[:, 0], corners[:, 1]
    azimuths, _, metres = GEOD.inv(lons[:-1], lats[:-1], lons[1:], lats[1:])
    behind = np.concatenate(([0.0], np.cumsum(metres)))
    if behind[-1] == 0:
        return None
    if behind[-1] <= REACH_M:
        reached = corners[-1]
    else:
        segment = int(np.searchsorted(behind, REACH_M)) - 1
        lon, lat, _ = GEOD.fwd(lons[segment], lats[segment], azimuths[segment], REACH_M - behind[segment])
        reached = (lon, lat)
    azimuth, _, _ = GEOD.inv(lons[0], lats[0], *reached)
    return float(azimuth)
