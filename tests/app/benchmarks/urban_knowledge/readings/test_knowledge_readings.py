"""Readings of the Knowledge Module's questions, in towns whose distances one works out by hand."""

from typing import Any

import pytest
import shapely

from app.questions.readings import REFERENCE_POINT, Reading, read_question
from tests.support.second_path import answer, rules_of


def read(town: Any, template: str, **parameters: Any) -> Reading:
    layers = town.layers()
    found = answer(layers, template, parameters)
    assert found.refusal is None
    reading = read_question(layers, rules_of(template), parameters, found)
    assert reading is not None
    return reading


def test_a_distance_between_areas(town: Any) -> None:
    town.poi("n2", 2000, 90, "Inn")
    assert read(town, "Calculate_Distance", pois=["n1", "n2"]).told == {}
    town.ground("n2", town.square(200, 2000, 90))  # 100 m nearer: a wrong option is off by 300 m at least
    assert read(town, "Calculate_Distance", pois=["n1", "n2"]).matter == frozenset()
    town.ground("n1", town.square(400))
    reading = read(town, "Calculate_Distance", pois=["n1", "n2"])
    assert reading.matter == {REFERENCE_POINT}
    assert set(reading.told) == {"n1", "n2"}
    assert reading.allows_everyday


def test_hints_tell_no_coordinates(town: Any) -> None:
    town.poi("n2", 2000, 90, "Inn")
    town.ground("n1", town.square(400))
    layers, asked = town.layers(), {"pois": ["n1", "n2"]}
    found = answer(layers, "Calculate_Distance", asked)
    reading = read_question(layers, rules_of("Calculate_Distance_Context"), asked, found)
    assert reading is not None
    assert (reading.refused, reading.told) == (True, {})


def test_coordinates_of_a_large_area(town: Any) -> None:
    town.ground("n1", town.square(60))  # 42 m to a corner
    assert read(town, "Retrieve_Coordinates", poi="n1") == Reading()
    town.place_areas.clear()
    town.ground("n1", town.square(80))  # 57 m
    assert read(town, "Retrieve_Coordinates", poi="n1").refused


def test_the_nearest_from_every_corner(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.poi("n3", 150, 270, "Farther")
    assert read(town, "Find_Nearest_POI", poi="n1").matter == frozenset()
    town.ground("n1", town.square(80))
    reading = read(town, "Find_Nearest_POI", poi="n1")
    assert (reading.matter, set(reading.told)) == ({REFERENCE_POINT}, {"n1"})
    town.ground("n3", town.square(120, 130, 270))  # its corners are 92 m from the middle
    assert read(town, "Find_Nearest_POI", poi="n1").refused


def test_an_area_that_covers_every_corner(town: Any) -> None:
    town.aoi("w1", town.square(400), "Quarter")
    town.ground("n1", town.square(100))
    assert read(town, "Find_Cover_AOI", poi="n1").matter == frozenset()
    town.place_areas.clear()
    town.ground("n1", town.square(500))
    assert set(read(town, "Find_Cover_AOI", poi="n1").told) == {"n1"}


def test_a_smaller_area_at_a_corner(town: Any) -> None:
    town.aoi("w1", town.square(400), "Quarter")
    town.ground("n1", town.square(100))
    east, north = shapely.bounds(town.square(100))[2:]
    town.aoi("w2", shapely.box(east - 1e-4, north - 1e-4, east + 1e-4, north + 1e-4), "Yard")
    assert set(read(town, "Find_Cover_AOI", poi="n1").told) == {"n1"}


def four_quarters(town: Any) -> dict[str, Any]:
    """Four areas of 400 m; the first holds three inns, the second two, the third one."""
    for number, (azimuth, inns) in enumerate(((0, 3), (90, 2), (180, 1), (270, 0)), 1):
        town.aoi(f"w{number}", town.square(400, 2000, azimuth), f"Quarter {number}")
        for inn in range(inns):
            town.poi(f"n{number}{inn}", 2000 + 40 * inn, azimuth, f"Inn {number} {inn}")
    return {"aois": ["w1", "w2", "w3", "w4"], "rank": "first"}


def test_a_count_with_a_place_across_the_border(town: Any) -> None:
    asked = four_quarters(town)
    assert read(town, "Compare_POI_Count", **asked) == Reading()
    town.ground("n10", town.square(600, 2000, 0))  # it reaches beyond: two or three
    assert read(town, "Compare_POI_Count", **asked).refused


def test_a_count_without_what_is_closed(town: Any) -> None:
    asked = four_quarters(town)
    town.rows["poi"] = [
        one._replace(tags={"access": "private"}) if one.osm_key in ("n10", "n11") else one
        for one in town.rows["poi"]
    ]
    assert read(town, "Compare_POI_Count", **asked).matter == {"without_private"}


def test_a_road_with_a_private_part(town: Any) -> None:
    for key, start, end, tags in (
        ("w1", 0, 800, {}),
        ("w2", 800, 900, {"access": "private"}),
        ("w3", 900, 1400, {}),
    ):
        shape = shapely.LineString([town.at(start, 90), town.at(end, 90)])
        town.add("road", key, shape, "Lane", "residential", tags=tags)
    assert read(town, "Query_Length", road="w1") == Reading()
    town.rows["road"][2] = town.rows["road"][2]._replace(tags={"access": "private"})
    assert read(town, "Query_Length", road="w1").matter == {"without_private"}


@pytest.mark.parametrize(
    ("klass", "tags", "matter"),
    [
        ("Water", {"leisure": "marina"}, {"other_use"}),
        ("Culture&Tourism", {"tourism": "hotel", "building": "hotel"}, {"other_use"}),
        ("Education", {"amenity": "school"}, set()),
        ("Commercial", {"landuse": "retail"}, set()),
    ],
)
def test_ground_that_fits_two_classes(town: Any, klass: str, tags: dict[str, str], matter: set[str]) -> None:
    town.add("aoi", "w1", town.square(200), "Haven", klass, tags=tags)
    assert read(town, "Landuse_AOI", aoi="w1").matter == matter
    layers, asked = town.layers(), {"aoi": "w1"}
    before = read_question(layers, rules_of("Landuse_AOI", 3), asked, answer(layers, "Landuse_AOI", asked, 3))
    assert before == Reading(), "versions that are published keep their registers"


def test_a_count_without_the_area_itself(town: Any) -> None:
    four_quarters(town)
    town.aoi("w5", town.square(200, 4000, 0), "School")
    town.poi("w5", 4000, 0, "School", ("school",))
    asked = {"aois": ["w1", "w2", "w4", "w5"], "rank": "third"}  # three, two, none and the school itself
    assert read(town, "Compare_POI_Count", **asked).matter == {"without_itself"}
    layers = town.layers()
    found = answer(layers, "Compare_POI_Count", asked, 4)
    before = read_question(layers, rules_of("Compare_POI_Count", 4), asked, found)
    assert before == Reading(), "versions that are published keep their registers"


@pytest.mark.parametrize(("apart", "matter"), [(0, set()), (20, {"carriageways_once"}), (80, set())])
def test_a_road_with_two_carriageways(town: Any, apart: int, matter: set[str]) -> None:
    """Two one-way ways of 500 m, one behind the other or beside it."""
    start, end = town.at(100, 90), town.at(600, 90)
    north = apart / 111_000
    back = [(end[0], end[1] + north), (start[0], start[1] + north)] if apart else [end, town.at(1100, 90)]
    for key, line in (("w1", [start, end]), ("w2", back)):
        town.add("road", key, shapely.LineString(line), "Lane", "residential", tags={"oneway": "yes"})
    assert read(town, "Query_Length", road="w1").matter == matter
