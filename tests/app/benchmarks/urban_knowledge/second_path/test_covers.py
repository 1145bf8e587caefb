from typing import Any

import pytest

from tests.support.second_path import answer, wrong_options

ALL = {"pois": ["n10", "n11", "n12"]}


@pytest.fixture
def yards(town: Any) -> Any:
    """Three stalls in a yard in a park; a yard that two of them are in, and one beside."""
    for number, (metres, name) in enumerate(((5, "Eins"), (10, "Zwei"), (30, "Drei"))):
        town.poi(f"n{10 + number}", metres, 90, name)
    town.aoi("w1", town.square(100), "Hof Klein")
    town.aoi("w2", town.square(1000), "Hof Gross")
    town.aoi("w3", town.square(40), "Hof Eng")  # the third stall is 10 m outside
    town.aoi("w4", town.square(100, 900, 0), "Hof Fern")
    return town


def test_the_smallest_around_all(yards: Any) -> None:
    found = answer(yards.layers(), "Find_Cover_AOI_All", ALL)
    assert (found.value, found.refusal) == ({"text": "Hof Klein", "objects": ["w1"]}, None)


def test_areas_are_wrong_when_a_place_is_left_out(yards: Any) -> None:
    layers = yards.layers()
    found = answer(layers, "Find_Cover_AOI_All", ALL)
    options = ["Hof Klein", "Hof Eng", "Hof Gross", "Hof Fern", "Nirgends"]
    verdicts = wrong_options(layers, "Find_Cover_AOI_All", ALL, found, options, 0)
    assert [one.wrong for one in verdicts] == [True, False, True, False]
    assert "covers all the places" in verdicts[1].why


@pytest.mark.parametrize(
    ("pois", "refusal"),
    [
        (["n10", "n11"], "bad_parameters"),
        (["n11", "n10", "n12"], "bad_parameters"),
        (["n10", "n11", "n99"], "unknown_object"),
    ],
)
def test_what_cannot_be_asked(yards: Any, pois: list[str], refusal: str) -> None:
    assert answer(yards.layers(), "Find_Cover_AOI_All", {"pois": pois}).refusal == refusal


def test_what_should_not_be_asked(yards: Any) -> None:
    yards.aoi("w5", yards.square(100.4), "Hof Zwilling")
    assert answer(yards.layers(), "Find_Cover_AOI_All", ALL).refusal == "margin"
    yards.aoi("w6", yards.square(2000), "Drei")
    yards.rows["aoi"] = [row for row in yards.rows["aoi"] if row.osm_key != "w5"]
    assert answer(yards.layers(), "Find_Cover_AOI_All", ALL).refusal == "own_name"
    yards.aoi("w7", yards.square(61), "Hof Kante")  # half a metre beyond the third stall
    assert answer(yards.layers(), "Find_Cover_AOI_All", ALL).refusal == "near_boundary"
    yards.poi("n30", 200, 0, "EINS")
    assert answer(yards.layers(), "Find_Cover_AOI_All", ALL).refusal == "name_not_unique"
