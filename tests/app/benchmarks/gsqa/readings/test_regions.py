"""Readings of questions about regions, in towns whose areas and lengths one works out by hand."""

from typing import Any

import pytest
import shapely

from app.questions.readings import REFERENCE_POINT, Reading, read_question
from tests.support.second_path import answer, rules_of

REGION = {"region": "r1"}


@pytest.fixture
def in_region(town: Any) -> Any:
    """A town in a square region of 2 km."""
    town.region("r1", town.square(2000), "Toyville")
    return town


def read(town: Any, template: str, **parameters: Any) -> Reading:
    return read_as(None, town, template, **parameters)


def read_as(version: int | None, town: Any, template: str, **parameters: Any) -> Reading:
    layers = town.layers()
    found = answer(layers, template, {**REGION, **parameters})
    assert found.refusal is None
    reading = read_question(layers, rules_of(template, version), {**REGION, **parameters}, found)
    assert reading is not None
    return reading


def park(town: Any, key: str, shape: Any, name: str, **tags: str) -> None:
    town.add("park", key, shape, name, "park", tags=tags)


def line(town: Any, key: str, start: Any, end: Any, name: str, klass: str = "primary", **tags: str) -> None:
    town.add("road", key, shapely.LineString([start, end]), name, klass, tags=tags)


def test_a_restaurant_across_the_border(in_region: Any) -> None:
    in_region.poi("n2", 100, 90, "Inn")
    in_region.poi("n3", 990, 90, "Border inn")
    assert read(in_region, "T24", category="restaurant").matter == frozenset()
    in_region.ground("n3", in_region.square(40, 990, 90))  # 10 m of it lie beyond
    reading = read(in_region, "T24", category="restaurant")
    assert (reading.matter, reading.refused) == ({REFERENCE_POINT}, True)


def test_a_restaurant_on_the_ground_of_another_of_its_name(in_region: Any) -> None:
    asked = {"anchor": "n1", "category": "restaurant", "distance": 500.0}
    for key, east, name in (("n2", 100, "Inn"), ("n3", 160, "Tavern"), ("n4", 300, "Inn")):
        in_region.poi(key, east, 90, name)
    in_region.ground("n2", in_region.square(150, 100, 90))  # the tavern's point lies on it
    assert read(in_region, "T24", category="restaurant").matter == frozenset()
    assert "mapped_once" not in read(in_region, "T23", **asked).matter
    in_region.poi("n5", 60, 90, "Inn")
    assert read(in_region, "T24", category="restaurant").matter == {"mapped_once"}
    assert read_as(3, in_region, "T24", category="restaurant").matter == frozenset()
    assert "mapped_once" in read(in_region, "T23", **asked).matter
    assert "mapped_once" not in read_as(3, in_region, "T23", **asked).matter


def test_a_restaurant_for_members_counts_or_not(in_region: Any) -> None:
    place = shapely.Point(*in_region.at(100, 90))
    in_region.add("poi", "n2", place, "Club", "restaurant", tags={"access": "private"})
    assert read(in_region, "T24", category="restaurant").matter == {"without_private"}


def test_the_area_inside(in_region: Any) -> None:
    park(in_region, "w1", in_region.square(400), "Middle")
    asked = {"surface": "park"}
    assert read(in_region, "T27", **asked).matter == frozenset()
    park(in_region, "w2", in_region.square(400, 1000, 90), "Half")  # half of it lies beyond
    assert read(in_region, "T27", **asked).matter == {"whole", "wholly_inside"}
    assert read(in_region, "T27", semantics="intersects", **asked).matter == {"clipped", "wholly_inside"}


def test_a_sliver_beyond_the_border_does_not_matter(in_region: Any) -> None:
    park(in_region, "w1", in_region.square(1000), "Middle")
    park(in_region, "w2", in_region.square(20, 1000, 90), "Sliver")  # 400 of 1,000,000 m²
    assert read(in_region, "T27", surface="park").matter == frozenset()


def test_a_park_nobody_may_enter_and_one_that_is_no_more(in_region: Any) -> None:
    park(in_region, "w1", in_region.square(400), "Middle")
    park(in_region, "w2", in_region.square(400, 600, 90), "Closed", access="no")
    park(in_region, "w3", in_region.square(10, 600, 270), "Gone", disused="yes")
    assert read(in_region, "T27", surface="park").matter == {"without_private"}


def test_the_region_may_be_a_reserve_itself(in_region: Any) -> None:
    in_region.add("park", "r1", in_region.square(2000), "Toyville", "protected_area")
    assert read(in_region, "T27", surface="protected_area").matter >= {"without_itself"}


def test_the_largest_may_be_another_where_whole_objects_count(in_region: Any) -> None:
    park(in_region, "w1", in_region.square(400), "Middle")
    park(in_region, "w2", in_region.square(500, 1000, 90), "Half")  # 125,000 m² inside, 250,000 in all
    assert read(in_region, "T11", ground="park").matter == {"whole"}


def test_the_largest_is_the_same(in_region: Any) -> None:
    park(in_region, "w1", in_region.square(600), "Middle")
    park(in_region, "w2", in_region.square(500, 1000, 90), "Half")
    assert read(in_region, "T11", ground="park").matter == frozenset()


def test_the_largest_may_have_no_name(in_region: Any) -> None:
    park(in_region, "w1", in_region.square(400), "Middle")
    park(in_region, "w2", in_region.square(300, 600, 90), "")
    assert read(in_region, "T11", ground="park").matter == frozenset()
    park(in_region, "w3", in_region.square(500, 600, 270), "")
    assert read(in_region, "T11", ground="park").matter == {"with_nameless"}
    assert read_as(3, in_region, "T11", ground="park").matter == frozenset()


def test_ground_that_is_two_parks_at_once(in_region: Any) -> None:
    park(in_region, "w1", in_region.square(400), "Middle")
    park(in_region, "w2", in_region.square(30), "Corner")  # 900 of 160,000 m²
    assert read(in_region, "T27", surface="park").matter == frozenset()
    park(in_region, "w3", in_region.square(100), "Court")
    assert read(in_region, "T27", surface="park").matter == {"counted_twice"}
    assert read_as(4, in_region, "T27", surface="park").matter == frozenset()


def test_the_longest_road_may_have_no_name(in_region: Any) -> None:
    line(in_region, "w1", in_region.at(200, 90), in_region.at(200, 270), "Inner")
    line(in_region, "w2", in_region.at(300, 0), in_region.at(450, 0), "")
    line(in_region, "w3", in_region.at(600, 0), in_region.at(900, 0), "")  # 450 m of both, each by itself
    assert read(in_region, "T12", line="primary").matter == frozenset()
    line(in_region, "w4", in_region.at(300, 180), in_region.at(800, 180), "")
    assert read(in_region, "T12", line="primary").matter == {"with_nameless"}
    assert read_as(3, in_region, "T12", line="primary").matter == frozenset()


def test_the_longest_road_may_have_two_names(in_region: Any) -> None:
    line(in_region, "w1", in_region.at(400, 90), in_region.at(400, 270), "Inner; Inmost")
    assert read(in_region, "T12", line="primary").matter == frozenset()


def test_the_longest_road(in_region: Any) -> None:
    line(in_region, "w1", in_region.at(400, 90), in_region.at(400, 270), "Inner")
    assert read(in_region, "T12", line="primary").matter == frozenset()
    line(
        in_region, "w2", in_region.at(500, 0), in_region.at(1700, 0), "Outward"
    )  # 500 m inside, 1,200 in all
    assert read(in_region, "T12", line="primary").matter == {"whole"}


def test_the_length_of_roads(in_region: Any) -> None:
    line(in_region, "w1", in_region.at(400, 90), in_region.at(400, 270), "Inner")
    assert read(in_region, "T28", line="primary").matter == frozenset()
    line(in_region, "w2", in_region.at(500, 0), in_region.at(1700, 0), "Outward")
    assert read(in_region, "T28", line="primary").matter == {"whole", "wholly_inside"}


def test_a_stream_that_dries_up(in_region: Any) -> None:
    for key, east, tags in (("w1", 400, {}), ("w2", 300, {"intermittent": "yes"})):
        shape = shapely.LineString([in_region.at(east, 90), in_region.at(east, 270)])
        in_region.add("water", key, shape, key, "stream", tags=tags)
    assert read(in_region, "T28", line="stream").matter == {"without_intermittent"}


def test_a_road_along_the_border(in_region: Any) -> None:
    """Ways along the border may be up to 2 % of what counts; from 1 % on they matter."""
    for number in range(10):
        line(
            in_region,
            f"w{number}",
            in_region.at(900, 80 + 2 * number),
            in_region.at(900, 260 + 2 * number),
            f"Road {number}",
        )
    corner = in_region.at(995, 90)
    line(in_region, "w20", corner, (corner[0], corner[1] + 0.00225), "Edge")  # 250 m, 5 m inside the border
    assert read(in_region, "T28", line="primary").matter == {"border_out"}


def test_in_a_region_of_many_degrees_the_plane_is_another(town: Any) -> None:
    town.outline = shapely.box(0, 40, 20, 60)
    town.region("r1", shapely.box(8, 44, 11, 50), "Large")
    town.add("park", "w1", town.square(400), "Middle", "park")
    assert read(town, "T27", surface="park").matter == {"plane"}
