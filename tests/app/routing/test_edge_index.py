"""Which arcs the nodes of an answer of OSRM lead over, on four edges that are drawn by hand."""

from pathlib import Path

import numpy as np
import pytest
import shapely

from app.questions.second_path.reading import EdgeRow, RoadRows
from app.routing.edge_index import EdgeIndex
from app.routing.network import Network


def edge(number: int, start: int, end: int, back: float | None = 36.0) -> EdgeRow:
    return EdgeRow(number, 1, start, end, 100.0, 36.0, back, False, 1)


# Edge 0 from 1 to 2 by 4 and 5; edge 1 from 2 to 3; edge 2 from 3 to 3, around by 6 and 7; edge 3 as edge 1, oneway.
LINES = (
    [(0, 0), (1, 1), (2, 1), (3, 0)],
    [(3, 0), (4, 0)],
    [(4, 0), (5, 1), (6, 0), (4, 0)],
    [(3, 0), (4, 0)],
)
INDEX = EdgeIndex.of(
    Network(
        RoadRows([edge(1, 1, 2), edge(2, 2, 3), edge(3, 3, 3), edge(4, 2, 3, None)], [], frozenset()),
        np.array([shapely.LineString(line) for line in LINES], dtype=object),
        3,
    )
)


@pytest.mark.parametrize(
    ("nodes", "start", "end", "arcs"),
    [
        ([4, 5, 2, 3], 0, 1, (0, 2)),
        ([3, 2, 5], 1, 0, (3, 1)),
        ([5, 4, 1], 0, 0, (1,)),
        ([2, 3, 6, 7, 3, 2], 1, 1, (2, 4, 3)),
        ([2, 3, 7, 6, 3, 2, 5], 1, 0, (2, 5, 3, 1)),
        ([5, 2, 2], 0, 1, (0, 2)),
        ([3, 3, 2, 5, 4], 1, 0, (3, 1)),
        ([2, 2], 0, 1, (0, 2)),
        ([2, 5, 4], 3, 0, (1,)),
        ([2, 3], 1, 3, (2,)),
        ([3], 3, 3, (6,)),
    ],
)
def test_arcs_along_nodes(nodes: list[int], start: int, end: int, arcs: tuple[int, ...]) -> None:
    assert INDEX.arcs(nodes, start, end) == arcs


def test_a_stored_index_is_the_same(tmp_path: Path) -> None:
    INDEX.save(tmp_path / "edges.npz")
    again = EdgeIndex.load(tmp_path / "edges.npz")
    assert again.arcs([4, 5, 2, 3], 0, 1) == (0, 2)
    assert shapely.equals(again.lines(), INDEX.lines()).all()
    assert again.step(1) == (1, 1, False)


def test_no_time_is_told_of_an_arc_that_nobody_may_travel() -> None:
    """Routes that begin and end at the ends of a oneway, and do not lead along it: their arcs have times."""
    for nodes, start, end in (([2, 5, 4], 3, 0), ([2, 3], 1, 3), ([2], 3, 3)):
        assert all(INDEX.seconds(arc) > 0 for arc in INDEX.arcs(nodes, start, end))


def test_shares_and_times() -> None:
    assert INDEX.share(2, (3.25, 0)) == pytest.approx(0.25)
    assert INDEX.share(3, (3.25, 0)) == pytest.approx(0.75)
    assert (INDEX.seconds(2), INDEX.metres(2)) == (pytest.approx(10), 100)
    assert INDEX.arc_between(1, (3.5, 0), (3.2, 0)) == 3
    assert INDEX.arc_between(3, (3.5, 0), (3.2, 0)) == 6, "no arc leads against a oneway"
