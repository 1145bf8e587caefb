"""Import stage: the strongly connected parts of the road network, for each mode. Pure, vectorised.

Two edges are in one part if one can go from each of them to the other and back, turn restrictions aside. An edge that
only leads from one part to another is in none.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from osm_import.road_nodes import Flags, Ints

NO_PART = 0


def find_parts(from_node: Ints, to_node: Ints, forward: Flags, backward: Flags, blocked: Ints) -> Ints:
    """The part of each edge for one mode, from 1 on, the largest by edges first; NO_PART where an edge is in none.

    `forward` and `backward` say whether the edge is passable along and against its line; nobody gets past a node that
    is `blocked`, but may turn there. Of equally large parts, the one whose first edge comes first has the lower number.
    """
    passable = np.flatnonzero(forward | backward)
    if not len(passable):
        return np.zeros(len(from_node), dtype=np.int64)
    start, end, vertices = _vertices(from_node[passable], to_node[passable], blocked)
    forward, backward = forward[passable], backward[passable]
    sources = np.r_[start[forward], end[backward]]
    targets = np.r_[end[forward], start[backward]]
    graph = coo_array((np.ones(len(sources), dtype=np.int8), (sources, targets)), shape=(vertices, vertices))
    _, component = connected_components(graph, directed=True, connection="strong")
    inside = np.flatnonzero(component[start] == component[end])
    parts = np.zeros(len(from_node), dtype=np.int64)
    parts[passable[inside]] = _by_size(component[start[inside]])
    return parts


def _vertices(start: Ints, end: Ints, blocked: Ints) -> tuple[Ints, Ints, int]:
    """The vertices where edges start and end, and their number; at a blocked node, each end has one of its own."""
    ends = np.r_[start, end]
    nodes, vertex = np.unique(ends, return_inverse=True)
    stopped = np.flatnonzero(np.isin(ends, blocked))
    vertex[stopped] = len(nodes) + np.arange(len(stopped))
    return vertex[: len(start)], vertex[len(start) :], len(nodes) + len(stopped)


def _by_size(component: Ints) -> Ints:
    """Numbers from 1 on in place of a component's: by how often it is there, then by where it is there first."""
    _, first, number, count = np.unique(component, return_index=True, return_inverse=True, return_counts=True)
    ranks = np.empty(len(count), dtype=np.int64)
    ranks[np.lexsort((first, -count))] = np.arange(1, len(count) + 1)
    return ranks[number]
