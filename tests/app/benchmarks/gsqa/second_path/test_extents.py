"""Second path of T11, T12 and T28, on a region of two kilometres whose contents are known."""

from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.second_path.extents import LINES
from app.questions.second_path.geodesy import spheroid_length, spheroid_lengths
from tests.support.second_path import answer

PARKS = {"region": "r1", "ground": "park"}
STREETS = {"region": "r1", "line": "residential"}


@pytest.fixture
def county(town: Any) -> Any:
    """A region r1 of 2 km."""
    town.region("r1", town.square(2000), "Oberland", "county")
    return town


def street(county: Any, key: str, start: float, end: float, name: str | None, **columns: Any) -> None:
    """A way due east, from and to metres from the middle."""
    line = shapely.LineString([county.at(start, 90), county.at(end, 90)])
    county.add("road", key, line, name, columns.pop("klass", "residential"), **columns)


def test_the_largest_is_the_largest_part_inside(county: Any) -> None:
    county.add("park", "w1", county.square(300, 300, 0), "Klein", "park")
    county.add("park", "w2", county.square(900, 1400, 90), "Rand", "park")  # a strip of 50 m inside
    county.add("park", "w3", county.square(800, 0, 0), None, "park")
    found = answer(county.layers(), "T11", PARKS)
    assert found.refusal is None
    assert found.value["names"] == ["Klein"]
    (place,) = found.value["objects"]
    assert place["area"] == pytest.approx(90_000, rel=1e-3)
    assert (place["lon"], place["lat"]) == (
        pytest.approx(county.at(300, 0)[0], abs=1e-6),
        pytest.approx(county.at(300, 0)[1], abs=1e-6),
    )
    assert found.facts["second"] == pytest.approx(50 * 900, rel=0.05)
    assert answer(county.layers(), "T11", {**PARKS, "ground": "lake"}).refusal == "no_candidate"
    assert answer(county.layers(), "T11", {**PARKS, "ground": "sand"}).refusal == "bad_parameters"


@pytest.mark.parametrize(("side", "refusal"), [(298, "margin"), (296, None)])
def test_the_second_must_be_behind(county: Any, side: float, refusal: str | None) -> None:
    county.add("park", "w1", county.square(300, 300, 0), "Klein", "park")
    county.add("park", "w2", county.square(side, 400, 180), "Kleiner", "park")  # 1.3 %, and 2.6 %
    assert answer(county.layers(), "T11", PARKS).refusal == refusal


def test_what_touches_is_not_in_it(county: Any) -> None:
    _, low, east, high = county.square(2000).bounds
    park = shapely.box(east, low, east + 0.01, high)
    county.add("park", "w1", park, "Nachbar", "park")
    county.add("road", "w2", shapely.LineString([(east, low), (east, high)]), "Rand", "residential")
    county.add("road", "w3", shapely.LineString([(east, 47.1), (east + 0.01, 47.1)]), "Ab", "residential")
    assert answer(county.layers(), "T11", PARKS).refusal == "no_candidate"
    assert answer(county.layers(), "T12", STREETS).refusal == "no_candidate"
    for semantics in ("clipped", "intersects"):
        found = answer(county.layers(), "T28", {**STREETS, "semantics": semantics})
        assert (found.value, found.refusal) == ({"length": 0.0}, "zero")
        area = {"region": "r1", "surface": "park", "semantics": semantics}
        assert answer(county.layers(), "T27", area).refusal == "zero"


def test_ways_of_one_name_are_one_road(county: Any) -> None:
    street(county, "w1", 0, 300, "Lange Gasse")
    street(county, "w2", 300, 500, "Lange Gasse")
    street(county, "w3", 0, 400, "Ring")
    street(county, "w4", 600, 3000, "Landstrasse")  # 400 m inside
    street(county, "w5", 0, 900, None)
    street(county, "w6", 0, 900, "Weg", klass="track")
    found = answer(county.layers(), "T12", STREETS)
    assert found.refusal is None
    assert found.value["names"] == ["Lange Gasse"]
    assert [way["osm_key"] for way in found.value["objects"]] == ["w1", "w2"]
    assert sum(way["length"] for way in found.value["objects"]) == pytest.approx(500, abs=0.01)
    street(county, "w7", 0, 495, "Neue Gasse")
    assert answer(county.layers(), "T12", STREETS).refusal == "margin"


def test_repaired_winners_are_not_counted_on(county: Any) -> None:
    street(county, "w1", 0, 500, "Gasse", repaired=True)
    street(county, "w2", 0, 200, "Ring")
    county.add("park", "w3", county.square(300), "Park", "park", repaired=True)
    for template, asked in (("T11", PARKS), ("T12", STREETS), ("T28", STREETS)):
        assert answer(county.layers(), template, asked).refusal == "repaired_geometry"


def test_length_inside_or_of_whole_ways(county: Any) -> None:
    street(county, "w1", 0, 300, "Lange Gasse")
    street(county, "w4", 600, 3000, "Landstrasse")
    street(county, "w5", 0, 100, None)
    clipped = answer(county.layers(), "T28", STREETS)
    assert clipped.value["length"] == pytest.approx(300 + 400 + 100, abs=1)
    assert clipped.value == answer(county.layers(), "T28", {**STREETS, "semantics": "clipped"}).value
    whole = answer(county.layers(), "T28", {**STREETS, "semantics": "intersects"})
    assert whole.value["length"] == pytest.approx(300 + 2400 + 100, abs=0.01)
    assert answer(county.layers(), "T28", {**STREETS, "semantics": "half"}).refusal == "bad_parameters"


def test_whole_areas_on_request(county: Any) -> None:
    county.add("park", "w1", county.square(200, 1000, 90), "Rand", "park")
    asked = {"region": "r1", "surface": "park", "semantics": "intersects"}
    assert answer(county.layers(), "T27", asked).value["area"] == pytest.approx(40_000, rel=1e-3)


def test_lengths_are_those_of_lines_alone() -> None:
    line = shapely.LineString([(9.5, 47.1), (9.5, 47.11)])
    square = shapely.box(9.5, 47.1, 9.6, 47.2)
    both = shapely.GeometryCollection(
        [line, square, shapely.Point(9.5, 47.1), shapely.MultiLineString([line])]
    )
    assert spheroid_length(line) == pytest.approx(1111.8, abs=0.5)
    assert spheroid_length(both) == pytest.approx(2 * spheroid_length(line))
    assert spheroid_length(square) == 0


POSITIONS = st.tuples(st.floats(-180, 180), st.floats(-90, 90))
LINE = st.lists(POSITIONS, min_size=2, max_size=6).map(shapely.LineString)
SHAPES = st.recursive(
    st.one_of(
        LINE,
        st.lists(LINE, min_size=1, max_size=3).map(shapely.MultiLineString),
        POSITIONS.map(shapely.Point),
        st.sampled_from([shapely.box(9.5, 47.1, 9.6, 47.2), shapely.LineString(), shapely.LinearRing()]),
    ),
    lambda shape: st.lists(shape, max_size=3).map(shapely.GeometryCollection),
    max_leaves=5,
)


@given(st.lists(SHAPES, max_size=6))
def test_lengths_at_once_are_those_one_by_one_to_the_bit(shapes: list[Any]) -> None:
    assert spheroid_lengths(shapes) == [spheroid_length(shape) for shape in shapes]


def test_kinds_of_lines_do_not_mix_layers() -> None:
    assert all(layer in ("road", "water") and classes for layer, classes in LINES.values())
