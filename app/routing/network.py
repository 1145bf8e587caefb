"""The road network of one mode with the lines of its edges, read from a snapshot."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from sqlalchemy import Connection

from app.questions.second_path.reading import EdgeRow, RoadRows, read_roads
from app.routing import queries

Lines = NDArray[np.object_]
"""One shapely line an edge, in lon, lat."""


class Network(NamedTuple):
    """Edges in the order of way and position, as RoadGraph numbers them, and the line of each.

    Nodes are numbered from 1 to `nodes`: points along edges need numbers too, and OSRM does not keep large ones.
    """

    rows: RoadRows
    lines: Lines
    nodes: int


def read_network(connection: Connection, schema: str, mode: str) -> Network:
    """The network of a mode in the snapshot schema. Raises Conflict where the map has none."""
    rows = read_roads(connection, schema, mode)
    edges = sorted(rows.edges, key=lambda edge: (edge.way_id, edge.position))
    wkb: dict[tuple[int, int], Any] = {
        (way, position): line for way, position, line in connection.execute(queries.edge_lines(schema))
    }
    lines = shapely.from_wkb([bytes(wkb[edge.way_id, edge.position]) for edge in edges])
    numbers = _number_nodes(edges)
    return Network(_renumbered(rows, edges, numbers), np.asarray(lines, dtype=object), len(numbers))


def _number_nodes(edges: Sequence[EdgeRow]) -> dict[int, int]:
    nodes = {node for edge in edges for node in (edge.from_node, edge.to_node)}
    return {node: number for number, node in enumerate(sorted(nodes), 1)}


def _renumbered(rows: RoadRows, edges: Sequence[EdgeRow], numbers: dict[int, int]) -> RoadRows:
    """The rows with other numbers of nodes; what lies at nodes without edges is left out."""
    return RoadRows(
        [edge._replace(from_node=numbers[edge.from_node], to_node=numbers[edge.to_node]) for edge in edges],
        [
            turn._replace(via_node=None if turn.via_node is None else numbers[turn.via_node])
            for turn in rows.turns
            if turn.via_node is None or turn.via_node in numbers
        ],
        frozenset(numbers[node] for node in rows.blocked if node in numbers),
    )
