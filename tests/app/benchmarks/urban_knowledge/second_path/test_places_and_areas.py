from typing import Any

import pytest
import shapely

from app.benchmarks.urban_knowledge.second_path.places_and_areas import rounded
from app.questions.second_path import SecondAnswer
from app.questions.second_path.boxes import boxes_around
from tests.support.second_path import answer

SUBJECT = {"poi": "n1"}


def ask(town: Any, template: str, **parameters: Any) -> SecondAnswer:
    return answer(town.layers(), template, {**SUBJECT, **parameters})


def test_coordinates_are_the_rounded_point(town: Any) -> None:
    found = ask(town, "Retrieve_Coordinates")
    assert found.refusal is None
    assert found.value == {"text": "(9.50000, 47.10000)", "objects": ["n1"]}


@pytest.mark.parametrize(
    ("lon", "lat", "text"),
    [
        (9.123455, 47.0, "(9.12346, 47.00000)"),
        (-9.123455, -0.0000001, "(-9.12346, -0.00000)"),
        (179.9999999, 5e-7, "(180.00000, 0.00000)"),
    ],
)
def test_rounding(lon: float, lat: float, text: str) -> None:
    assert rounded(lon, lat) == text


@pytest.mark.parametrize("template", ["Retrieve_Coordinates", "Find_Nearest_POI", "Find_Cover_AOI"])
def test_subjects_are_named_unique_and_whole(town: Any, template: str) -> None:
    town.poi("n2", 100, 0, "Adler")
    town.poi("n3", 200, 0, None)
    town.poi("n4", 300, 0, "Krone", repaired=True)
    town.poi("n5", 500, 0, "  MUSEUM ")
    town.aoi("w1", town.square(2000), "Altstadt")
    assert ask(town, template).refusal == "name_not_unique"
    assert ask(town, template, poi="n2").refusal is None
    assert ask(town, template, poi="n3").refusal == "unnamed_subject"
    assert ask(town, template, poi="n4").refusal == "repaired_geometry"
    assert ask(town, template, poi="n9").refusal == "unknown_object"
    assert ask(town, template, poi=None).refusal == "bad_parameters"


def test_nearest_named_of_any_class(town: Any) -> None:
    town.poi("n2", 30, 0, None)
    town.poi("n3", 100, 90, "Adler", ("hotel",))
    town.poi("n4", 111, 90, "Krone", ("bar",))
    found = ask(town, "Find_Nearest_POI")
    assert found.refusal is None
    assert found.value == {"text": "Adler", "objects": ["n3"]}
    town.outline = town.square(219)
    assert ask(town, "Find_Nearest_POI").refusal == "leaves_outline"
    town.poi("n5", 109, 0, "Linde")
    assert ask(town, "Find_Nearest_POI").refusal == "margin"
    town.poi("n6", 50, 0, "Rose", repaired=True)
    assert ask(town, "Find_Nearest_POI").refusal == "repaired_geometry"


def test_nothing_near(town: Any) -> None:
    assert ask(town, "Find_Nearest_POI").refusal == "no_candidate"
    assert ask(town, "Find_Cover_AOI").refusal == "no_candidate"


def test_smallest_area_that_covers(town: Any) -> None:
    town.aoi("w1", town.square(2000), "Altstadt")
    town.aoi("w2", town.square(100), "Hof")
    town.aoi("w3", town.square(50, 100, 0), "Nebenan")
    found = ask(town, "Find_Cover_AOI")
    assert found.refusal is None
    assert found.value == {"text": "Hof", "objects": ["w2"]}
    assert found.facts["area"] == pytest.approx(10_000, rel=1e-3)
    assert found.facts["second"] == pytest.approx(4_000_000, rel=1e-3)


@pytest.mark.parametrize(("side", "refusal"), [(100.9, "margin"), (101.1, None)])
def test_next_smallest_area_must_keep_the_margin(town: Any, side: float, refusal: str | None) -> None:
    town.aoi("w1", town.square(100), "Hof")
    town.aoi("w2", town.square(side), "Viertel")
    assert ask(town, "Find_Cover_AOI").refusal == refusal


@pytest.mark.parametrize(("metres", "refusal"), [(50.8, "near_boundary"), (51.2, None)])
def test_no_boundary_near(town: Any, metres: float, refusal: str | None) -> None:
    town.aoi("w1", town.square(2000), "Altstadt")
    town.aoi("w2", town.square(100, metres, 90), "Nebenan")
    found = ask(town, "Find_Cover_AOI")
    assert found.refusal == refusal
    assert list(found.facts["near_edge"]) == (["w2"] if refusal else [])


def test_areas_that_may_not_be_the_key(town: Any) -> None:
    town.aoi("w1", town.square(100), "Hof")
    assert ask(town, "Find_Cover_AOI").refusal is None
    town.aoi("w2", town.square(3000), "museum ")
    assert ask(town, "Find_Cover_AOI").refusal == "own_name"
    town.aoi("w3", town.square(4000), "Viertel", repaired=True)
    assert ask(town, "Find_Cover_AOI").refusal == "repaired_geometry"


def test_four_areas_by_rank(town: Any) -> None:
    for number, side in enumerate([100, 90, 50, 10], start=1):
        town.aoi(f"w{number}", town.square(side), f"Feld {number}")
    keys = ["w1", "w2", "w3", "w4"]
    for number, rank in enumerate(("largest", "second", "third", "smallest"), start=1):
        found = ask(town, "Compare_Area_Size", aois=keys, rank=rank)
        assert found.refusal is None
        assert found.value == {"text": f"Feld {number}", "objects": [f"w{number}"]}
    assert ask(town, "Compare_Area_Size", aois=keys, rank="fifth").refusal == "bad_parameters"
    assert ask(town, "Compare_Area_Size", aois=keys).refusal == "bad_parameters"
    assert found.facts["areas"]["w2"] == pytest.approx(8100, rel=1e-3)
    town.aoi("w5", town.square(95), "Feld 5")
    assert ask(town, "Compare_Area_Size", aois=["w1", "w3", "w4", "w5"], rank="third").refusal == "margin"
    town.aoi("w6", town.square(5), "FELD  4")
    assert ask(town, "Compare_Area_Size", aois=keys, rank="third").refusal == "name_not_unique"
    town.aoi("w7", town.square(6), "Feld 7", repaired=True)
    assert (
        ask(town, "Compare_Area_Size", aois=["w1", "w2", "w3", "w7"], rank="third").refusal
        == "repaired_geometry"
    )
    assert (
        ask(town, "Compare_Area_Size", aois=["w1", "w2", "w3", "w8"], rank="third").refusal
        == "unknown_object"
    )


@pytest.mark.parametrize(
    "aois", [["w1", "w2", "w3"], ["w2", "w1", "w3", "w4"], ["w1", "w1", "w2", "w3"], "w1w2"]
)
def test_the_four_are_sorted_and_distinct(town: Any, aois: Any) -> None:
    assert ask(town, "Compare_Area_Size", aois=aois, rank="third").refusal == "bad_parameters"


def test_windows_near_the_antimeridian_and_the_poles() -> None:
    assert len(boxes_around(9.5, 47.1, 100)) == 1
    for lon, beyond in [(179.9999, -179.9999), (-179.9999, 179.9999)]:
        boxes = boxes_around(lon, 10.0, 100)
        assert any(box.covers(shapely.Point(beyond, 10.0)) for box in boxes)
    assert boxes_around(0.0, 89.9999, 100)[0].covers(shapely.Point(-170, 89.9999))
