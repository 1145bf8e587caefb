"""Writes a network as an OpenStreetMap file for osrm-extract: a way an edge, with the tags that profile.lua reads.

Points along an edge become nodes. Their numbers follow those of the ends of edges, edge by edge: so the number of such
a node tells the edge (app.routing.edge_index).
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path

import numpy as np
import osmium
import shapely
from osmium.osm.mutable import Node, Relation, Way

from app.core.identity import canonical_json
from app.routing.network import Network
from app.routing.restrictions import EdgeTurn, tell_by_edge


def write_network(network: Network, file: Path) -> str:
    """Write the file; gives the SHA-256 of what was written, equal for equal networks.

    osrm-extract wants nodes, ways and relations in this order, each by number.
    """
    writer = osmium.SimpleWriter(str(file), overwrite=True)
    try:
        for one in chain(_nodes(network), _ways(network), _relations(network)):
            writer.add(one)
    finally:
        writer.close()
    return _hash(network)


def _hash(network: Network) -> str:
    """The SHA-256 of everything that is written: edges, the lines' points, restrictions, closed nodes."""
    seen = sha256(shapely.get_coordinates(network.lines).tobytes())
    for part in (network.rows.edges, network.rows.turns, sorted(network.rows.blocked)):
        seen.update(canonical_json(part).encode())
    return seen.hexdigest()


def _nodes(network: Network) -> Iterator[Node]:
    """Ends of edges by their own numbers, then points along edges."""
    ends: dict[int, tuple[float, float]] = {}
    inner = []
    for edge, line in zip(network.rows.edges, network.lines, strict=True):
        points = shapely.get_coordinates(line)
        ends[edge.from_node], ends[edge.to_node] = tuple(points[0]), tuple(points[-1])
        inner.append(points[1:-1])
    for number in range(1, network.nodes + 1):
        tags = {"b": "1"} if number in network.rows.blocked else {}
        yield Node(id=number, version=1, location=ends[number], tags=tags)
    for number, point in enumerate(np.concatenate(inner), network.nodes + 1):
        yield Node(id=number, version=1, location=tuple(point), tags={})


def _ways(network: Network) -> Iterator[Way]:
    next_inner = network.nodes + 1
    for number, (edge, line) in enumerate(zip(network.rows.edges, network.lines, strict=True)):
        inner = range(next_inner, next_inner + shapely.get_num_points(line) - 2)
        next_inner = inner.stop
        tags = {"highway": "road"}
        if edge.forward_kmh:
            tags["f"] = repr(float(edge.forward_kmh))
        if edge.backward_kmh:
            tags["r"] = repr(float(edge.backward_kmh))
        if edge.destination:
            tags["d"] = "1"
        yield Way(id=number + 1, version=1, nodes=[edge.from_node, *inner, edge.to_node], tags=tags)


def _relations(network: Network) -> Iterator[Relation]:
    turns = tell_by_edge(network.rows.edges, network.rows.turns)
    return (_relation(number, turn) for number, turn in enumerate(turns, 1))


def _relation(number: int, turn: EdgeTurn) -> Relation:
    via = [("n", turn.via_node, "via")] if turn.via_node is not None else []
    via += [("w", edge + 1, "via") for edge in turn.via_edges]
    members = [("w", turn.before + 1, "from"), *via, ("w", turn.after + 1, "to")]
    tags = {"type": "restriction", "restriction": turn.klass}
    return Relation(id=number, version=1, members=members, tags=tags)
