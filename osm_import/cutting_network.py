"""Import stage: the road network of a cut: the parent's edges that meet the region, connected anew. Reads one snapshot,
writes another.

The snapshot that is made is first in search_path. What is connected in the parent need not be so in the cut.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import psycopg

from osm_import import cutting_queries as queries
from osm_import.copy_cells import NULL
from osm_import.road_parts import find_parts
from osm_import.travel_table import MODES


def cut_edges(connection: psycopg.Connection[Any], parent: str, binds: Mapping[str, Any]) -> int:
    """Copy the edges that meet the outline of `binds`, with their parts in the cut; gives how many there are."""
    rows = connection.execute(queries.read_edges(parent), binds).fetchall()
    if not rows:
        return 0
    columns = np.array(rows, dtype=np.int64).T
    way_id, position, start, end = columns[:4]
    parts = []
    for mode, forward, backward in zip(MODES, columns[4::2], columns[5::2], strict=True):
        blocked = connection.execute(queries.read_blocked(mode, parent)).fetchall()
        nodes = np.array(blocked, dtype=np.int64).ravel()
        parts.append(find_parts(start, end, forward.astype(bool), backward.astype(bool), nodes))
    connection.execute(queries.MAKE_EDGE_PARTS)
    with connection.cursor().copy(queries.COPY_EDGE_PARTS) as copy:
        for key_and_parts in zip(
            way_id.tolist(), position.tolist(), *(one.tolist() for one in parts), strict=True
        ):
            way, place, *of_modes = key_and_parts
            copy.write("\t".join([str(way), str(place), *(str(part or NULL) for part in of_modes)]) + "\n")
    return connection.execute(queries.copy_edges(parent)).rowcount
