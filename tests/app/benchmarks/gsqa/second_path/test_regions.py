from typing import Any

import pytest
import shapely

from app.questions.second_path.geodesy import spheroid_area
from tests.support.second_path import answer

COUNT = {"region": "r1", "category": "food"}
PARKS = {"region": "r1", "surface": "park"}


@pytest.fixture
def county(town: Any) -> Any:
    """A region r1 of 2 km with two places to eat in it and one outside."""
    town.region("r1", town.square(2000), "Oberland", "county")
    town.poi("n2", 500, 10, "Adler")
    town.poi("n3", 600, 200, None, ("cafe",))
    town.poi("n4", 1500, 90, "Krone")
    return town


def test_counts_named_and_unnamed_inside(county: Any) -> None:
    found = answer(county.layers(), "T24", COUNT)
    assert found.refusal is None
    assert found.value == {"count": 2}
    assert answer(county.layers(), "T24", {**COUNT, "category": "fast_food"}).refusal == "zero"
    assert answer(county.layers(), "T24", {**COUNT, "region": "r2"}).refusal == "unknown_object"
    assert answer(county.layers(), "T24", {"region": "r1"}).refusal == "bad_parameters"


@pytest.mark.parametrize(
    ("metres", "refusal"), [(998.5, None), (999.3, "margin"), (1000.7, "margin"), (1001.5, None)]
)
def test_nothing_counted_near_the_edge(county: Any, metres: float, refusal: str | None) -> None:
    county.poi("n5", metres, 0, "Linde")
    found = answer(county.layers(), "T24", COUNT)
    assert found.refusal == refusal
    assert found.value == {"count": 3 if metres < 1000 else 2}
    assert list(found.facts["near_edge"]) == (["n5"] if refusal else [])


def test_only_the_category_must_keep_off_the_edge(county: Any) -> None:
    county.poi("n5", 1000, 0, "Museum", ("museum",))
    assert answer(county.layers(), "T24", COUNT).refusal is None


def test_repaired_objects_are_not_counted_on(county: Any) -> None:
    county.poi("n5", 700, 0, "Linde", repaired=True)
    assert answer(county.layers(), "T24", COUNT).refusal == "repaired_geometry"


@pytest.mark.parametrize("template", ["T24", "T27"])
def test_rules_for_regions(county: Any, template: str) -> None:
    def refusal(key: str) -> str | None:
        county.add("park", "w1", county.square(100), "Park", "park") if "park" not in county.rows else None
        return answer(county.layers(), template, {**COUNT, **PARKS, "region": key}).refusal

    square = county.square(2000)
    county.region("r2", square, "Repaired", repaired=True)
    county.region("r3", square, None)
    county.region("r4", square, "Unlinked", tags={})
    county.region("r5", square, "  OBERLAND ", "county")
    county.region("r6", square, "Oberland", "town")
    county.region("r7", county.square(20_100), "Wide")
    county.region("r8", square, "Linked", tags={"wikipedia": "de:Oberland"})
    assert refusal("r2") == "repaired_geometry"
    assert refusal("r3") == "unnamed_region"
    assert refusal("r4") == "region_without_link"
    assert refusal("r1") == refusal("r5") == "name_not_unique"
    assert refusal("r6") is None
    assert refusal("r7") == "leaves_outline"
    assert refusal("r8") is None
    county.outline = square
    assert refusal("r6") is None
    county.outline = None
    assert refusal("r6") == "no_outline"


def test_area_counts_overlaps_once_and_only_the_part_inside(county: Any) -> None:
    inside, across = county.square(200, 300, 0), county.square(200, 1000, 90)
    county.add("park", "w1", inside, "Park", "park")
    county.add("park", "w2", county.square(100, 300, 0), "Park im Park", "park")
    county.add("park", "w3", across, "Randpark", "park")
    county.add("park", "w4", county.square(300, 500, 180), "Garten", "garden")
    county.add("park", "n9", shapely.Point(county.at(100, 0)), "Punkt", "park")
    found = answer(county.layers(), "T27", PARKS)
    assert found.refusal is None
    assert found.value["area"] == pytest.approx(200 * 200 + 100 * 200, rel=1e-3)
    clipped = shapely.intersection(across, county.square(2000))
    assert found.value["area"] == pytest.approx(spheroid_area(inside) + spheroid_area(clipped), rel=1e-9)
    assert found.facts == {"parts": 3}
    garden = answer(county.layers(), "T27", {**PARKS, "surface": "garden"})
    assert garden.value["area"] == pytest.approx(300 * 300, rel=1e-3)


def test_water_is_every_area_and_no_line(county: Any) -> None:
    county.add("water", "w1", county.square(100, 200, 0), "See", "lake")
    county.add("water", "w2", county.square(100, 500, 180), None, "river")
    county.add("water", "w3", shapely.LineString([county.at(100, 0), county.at(900, 0)]), "Bach", "stream")
    found = answer(county.layers(), "T27", {**PARKS, "surface": "water"})
    assert found.value["area"] == pytest.approx(2 * 100 * 100, rel=1e-3)


def test_areas_that_cannot_be_asked_for(county: Any) -> None:
    assert answer(county.layers(), "T27", PARKS).refusal == "zero"
    assert answer(county.layers(), "T27", {**PARKS, "surface": "sand"}).refusal == "bad_parameters"
    county.add("park", "w1", county.square(0.9), "Fleck", "park")
    assert answer(county.layers(), "T27", PARKS).refusal == "zero"
    county.add("park", "w2", county.square(100), "Park", "park", repaired=True)
    assert answer(county.layers(), "T27", PARKS).refusal == "repaired_geometry"
    assert answer(county.layers(), "T27", {**PARKS, "surface": "golf_course"}).refusal == "zero"
    bow = shapely.Polygon([county.at(50, 45), county.at(50, 225), county.at(50, 135), county.at(50, 315)])
    county.add("park", "w3", bow, "Schleife", "golf_course")
    assert answer(county.layers(), "T27", {**PARKS, "surface": "golf_course"}).refusal == "invalid_geometry"
