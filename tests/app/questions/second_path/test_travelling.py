"""Travel times of the second path: from places beside roads, on two streets whose times are counted by hand."""

import pytest
from shapely import LineString

from app.questions.second_path.reading import EdgeRow, RoadRows
from app.questions.second_path.road_graph import RoadGraph
from app.questions.second_path.travelling import Travelling
from tests.support.town import Place, offset

SOUTH = (10.0, 50.0)
CORNER = offset(SOUTH, 0, 1000)
EAST = offset(CORNER, 90, 500)
FAR = offset(SOUTH, 180, 3000)
LINES = {
    (1, 1): [SOUTH, offset(SOUTH, 0, 400), CORNER],
    (2, 1): [CORNER, EAST],
    (3, 1): [FAR, offset(FAR, 180, 100)],
}
KMH = 36.0
"""Ten metres a second."""


@pytest.fixture
def travelling() -> Travelling:
    """A street of 1,000 m to the north, one of 500 m from there to the east, and another far away."""
    edges = [
        EdgeRow(1, 1, 1, 2, 1000.0, KMH, KMH, False, 1),
        EdgeRow(2, 1, 2, 3, 500.0, KMH, None, False, 1),
        EdgeRow(3, 1, 4, 5, 100.0, KMH, KMH, False, 2),
    ]
    wkb = {edge: LineString(corners).wkb for edge, corners in LINES.items()}
    return Travelling(RoadGraph(RoadRows(edges, (), frozenset())), wkb)


def beside(start: Place, along: float, metres: float) -> Place:
    """A place so many metres east of the first street, so many metres along it."""
    return offset(offset(start, 0, along), 90, metres)


def test_a_way_begins_and_ends_at_the_nearest_points_of_roads(travelling: Travelling) -> None:
    one, other = beside(SOUTH, 200, 30), offset(offset(CORNER, 90, 300), 0, 150)
    ((there, same),) = travelling.seconds([one], [other, one])
    assert there == pytest.approx(80 + 30, abs=0.1)
    assert same == 0


def test_each_direction_has_its_own_time(travelling: Travelling) -> None:
    one, other = beside(SOUTH, 700, 20), beside(SOUTH, 100, 200)
    table = travelling.seconds([one, other], [one, other])
    assert table[0][1] == table[1][0] == pytest.approx(60, abs=0.1)
    assert travelling.seconds([EAST], [one]) == [[None]]


def test_no_way_leads_to_places_far_from_roads_or_off_the_largest_part(travelling: Travelling) -> None:
    lost, apart = offset(EAST, 90, 1100), offset(FAR, 180, 50)
    assert travelling.find_place(lost) is None
    assert travelling.find_place(offset(EAST, 90, 900)) is not None
    assert travelling.seconds([SOUTH, lost], [lost, apart, CORNER]) == [
        [None, None, pytest.approx(100, abs=0.1)],
        [None, None, None],
    ]


def test_junctions_tell_how_a_way_turns_and_whether_it_could_go_on_otherwise(travelling: Travelling) -> None:
    one, other = beside(SOUTH, 200, 30), offset(offset(CORNER, 90, 300), 0, 150)
    assert travelling.metres(one, other) == pytest.approx(1100, abs=1)
    (corner,) = travelling.junctions(one, other) or ()
    assert (corner.before, corner.after, corner.turns_back) == ((1, 1), (2, 1), False)
    assert corner.degrees == pytest.approx(90, abs=0.01)
    assert not corner.has_choice
    assert travelling.junctions(one, beside(SOUTH, 700, 20)) == []
    assert travelling.junctions(EAST, one) is None
    assert travelling.metres(EAST, one) is None


def test_a_third_street_at_a_corner_is_a_choice() -> None:
    north, bent = offset(CORNER, 0, 300), offset(CORNER, 270, 5)
    lines = {**LINES, (4, 1): [CORNER, bent, offset(bent, 0, 400)], (5, 1): [CORNER, north]}
    edges = [
        EdgeRow(way, 1, *nodes, 500.0, KMH, KMH, False, 1)
        for way, nodes in {1: (1, 2), 4: (2, 6), 5: (2, 7)}.items()
    ]
    wkb = {(edge.way_id, 1): LineString(lines[edge.way_id, 1]).wkb for edge in edges}
    travelling = Travelling(RoadGraph(RoadRows(edges, (), frozenset())), wkb)
    (corner,) = travelling.junctions(SOUTH, offset(bent, 0, 300)) or ()
    assert corner.has_choice
    assert corner.degrees == pytest.approx(-18.4, abs=0.1)  # 5 m to the west, then 15 m to the north


def test_the_edges_of_a_way_tell_how_much_of_them_is_travelled(travelling: Travelling) -> None:
    one, other = beside(SOUTH, 200, 30), offset(offset(CORNER, 90, 300), 0, 150)
    way = travelling.stretches(one, other)
    assert way is not None
    assert [stretch.edge for stretch in way] == [(1, 1), (2, 1)]
    assert [stretch.metres for stretch in way] == [pytest.approx(800, abs=1), pytest.approx(300, abs=1)]
    back = travelling.stretches(beside(SOUTH, 700, 20), beside(SOUTH, 100, 200))
    assert back is not None
    assert [stretch.metres for stretch in back] == [pytest.approx(600, abs=1)]
    assert travelling.stretches(EAST, one) is None
    assert travelling.stretches(offset(EAST, 90, 1100), one) is None
