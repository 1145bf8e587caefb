"""Readings of questions without an answer, in towns whose distances one works out by hand."""

from typing import Any

import pytest
import shapely

from app.questions.readings import REFERENCE_POINT, Reading, read_question
from app.questions.second_path import TemplateVersion, answer

ASKED = {"anchor": "n1", "category": "restaurant", "distance": 300.0}


def read(town: Any, version: int = 4) -> Reading:
    asked = TemplateVersion("gsqa", "T1", version, "unanswerable")
    layers = town.layers()
    found = answer(layers, asked, ASKED)
    assert found.refusal is None
    reading = read_question(layers, asked, ASKED, found)
    assert reading is not None
    return reading


@pytest.fixture(autouse=True)
def far_places(town: Any) -> None:
    for number in range(4, 14):
        town.poi(f"n{number}", 5000 + number, 0, f"Far {number}")
    town.add("other_place", "n99", shapely.Point(*town.at(6000, 0)), None, "restaurant")


def test_a_point_leaves_no_doubt(town: Any) -> None:
    town.poi("n2", 320, 90, "Inn")
    assert read(town).as_json()["matter"] == []


def test_a_point_is_told_from_whose_edge_there_would_be_a_place(town: Any) -> None:
    town.poi("n2", 320, 90, "Inn")
    town.ground("n1", town.square(20))  # 310 m from its eastern edge
    assert read(town).told == {}
    town.place_areas.clear()
    town.ground("n1", town.square(80))  # 280 m from it
    reading = read(town)
    assert (reading.matter, reading.refused) == ({REFERENCE_POINT}, False)
    assert reading.told == {"n1": pytest.approx((9.5, 47.1))}


def test_what_people_take_for_one_counts_too(town: Any) -> None:
    town.add("other_place", "n20", shapely.Point(*town.at(320, 90)), None, "bar")
    town.ground("n1", town.square(80))
    assert set(read(town).told) == {"n1"}


def test_a_place_that_is_an_area_may_reach_over_the_circle(town: Any) -> None:
    town.poi("n2", 330, 90, "Hall")
    assert not read(town).refused
    town.ground("n2", town.square(80, 330, 90))  # its western edge is 290 m away
    assert read(town).refused
    assert not read(town, version=3).refused, "questions of earlier versions were not asked for it"
