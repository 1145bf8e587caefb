"""The road network of Liechtenstein as the second path reads it, and its routes against a search that knows no turns."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra
from sqlalchemy import Connection

from app.core.errors import Conflict
from app.core.settings import Role
from app.db.engine import connect
from app.questions.second_path.reading import MODES, EdgeRow, read_roads
from app.questions.second_path.road_graph import ENTERING_S, RoadGraph
from app.questions.second_path.routes import RoadPlace, find_routes
from tests.conftest import Imported

PAIRS = 25


@pytest.fixture(scope="module")
def connection(liechtenstein: Imported) -> Iterator[Connection]:
    with connect(liechtenstein.settings, Role.WORKER) as opened:
        yield opened


def schema_of(connection: Connection) -> str:
    found = connection.exec_driver_sql("select schema_name from trigpoint.snapshot where state = 'published'")
    return str(found.scalar_one())


def fastest_without_turns(edges: list[EdgeRow]) -> tuple[dict[int, int], np.ndarray]:
    """Seconds from node to node where everybody may turn everywhere, and the index of each node."""
    index: dict[int, int] = {}
    best: dict[tuple[int, int], float] = {}
    for edge in edges:
        ends = [index.setdefault(node, len(index)) for node in (edge.from_node, edge.to_node)]
        for (start, end), kmh in ((ends, edge.forward_kmh), (ends[::-1], edge.backward_kmh)):
            if kmh and start != end:
                seconds = edge.length_m / kmh * 3.6
                best[start, end] = min(seconds, best.get((start, end), seconds))
    starts, ends = np.array(list(best)).T
    return index, coo_array((np.array(list(best.values())), (starts, ends)), shape=(len(index),) * 2).tocsr()


@pytest.mark.parametrize("mode", MODES)
def test_routes_are_never_faster_than_where_all_turns_are_allowed(connection: Connection, mode: str) -> None:
    rows = read_roads(connection, schema_of(connection), mode)
    assert all(edge.forward_kmh or edge.backward_kmh for edge in rows.edges)
    graph = RoadGraph(rows)
    largest = [number for number, edge in enumerate(graph.edges) if edge.part == 1]
    assert len(largest) > 0.9 * len(graph.edges)
    index, network = fastest_without_turns(list(graph.edges))
    chosen = random.Random(7)
    equal = 0
    for _ in range(PAIRS):
        one, other = (graph.edges[number] for number in chosen.sample(largest, 2))
        start, end = (RoadPlace(graph.edges.index(edge), 0.0) for edge in (one, other))
        (found,) = find_routes(graph, start, [end])
        (bound,) = dijkstra(network, indices=[index[one.from_node]])
        least = float(bound[index[other.from_node]])
        assert found is not None
        assert found.seconds >= least - 1e-6
        equal += found.seconds <= least + 1e-6
        assert found.metres >= 0
    assert equal >= (0.6 if mode == "car" else 0.8) * PAIRS, "most routes meet no restriction"
    assert ENTERING_S


def test_a_map_without_a_road_network_says_so(connection: Connection) -> None:
    with pytest.raises(Conflict, match=r"has no road network: .* Import its extract again"):
        read_roads(connection, "trigpoint", "car")
    with pytest.raises(ValueError, match="no mode is called 'bus'; there are car, bicycle, foot"):
        read_roads(connection, schema_of(connection), "bus")
