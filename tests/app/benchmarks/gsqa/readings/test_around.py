"""Readings of questions around an anchor, in towns whose distances one works out by hand."""

from typing import Any

import pytest
import shapely

from app.questions.readings import REFERENCE_POINT, Reading, read_question
from tests.support.second_path import answer, rules_of

NEAREST = {"anchor": "n1", "category": "restaurant"}


def read(town: Any, template: str, **parameters: Any) -> Reading:
    layers = town.layers()
    found = answer(layers, template, parameters)
    assert found.refusal is None
    reading = read_question(layers, rules_of(template), parameters, found)
    assert reading is not None
    return reading


def museum_of(town: Any, side: float) -> None:
    """The museum in the middle is a square of so many metres."""
    town.ground("n1", town.square(side))


def test_points_leave_no_doubt(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.poi("n3", 150, 270, "Farther")
    reading = read(town, "T5", **NEAREST)
    assert (reading.matter, reading.told, reading.refused) == (frozenset(), {}, False)
    assert reading.allows_everyday


def test_from_the_western_edge_of_a_large_anchor_another_is_nearest(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.poi("n3", 150, 270, "Farther")
    museum_of(town, 80)  # from 40 m west it is 140 m to one, 110 m to the other
    reading = read(town, "T5", **NEAREST)
    assert reading.matter == {REFERENCE_POINT}
    assert reading.told == {"n1": pytest.approx((9.5, 47.1))}
    assert reading.allows_everyday, "the text tells the point"


def test_a_small_anchor_does_not_matter(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.poi("n3", 150, 270, "Farther")
    museum_of(town, 20)  # from 10 m west: 110 and 140 m
    assert read(town, "T5", **NEAREST).matter == frozenset()


def test_places_that_are_areas_reach_over_the_circle(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.poi("n3", 330, 90, "Hall")
    for number in range(4, 14):
        town.poi(f"n{number}", 5000 + number, 0, f"Far {number}")
    asked = {**NEAREST, "distance": 300.0}
    assert read(town, "T1", **asked).matter == frozenset()
    town.ground("n3", town.square(80, 330, 90))  # its western edge is 290 m away
    reading = read(town, "T1", **asked)
    assert reading.refused
    assert reading.matter == {REFERENCE_POINT}


def test_an_answer_within_the_circle_from_every_corner(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    for number in range(4, 14):
        town.poi(f"n{number}", 5000 + number, 0, f"Far {number}")
    asked = {**NEAREST, "distance": 300.0}
    museum_of(town, 200)  # 212 m from the western corners
    assert read(town, "T1", **asked).told == {}
    town.place_areas.clear()
    museum_of(town, 500)  # 360 m from them
    assert set(read(town, "T1", **asked).told) == {"n1"}


def test_a_distance_may_differ_by_a_hundredth(town: Any) -> None:
    town.poi("n2", 1000, 90, "Inn")
    museum_of(town, 12)  # 6 m farther or nearer, and 8.5 m to a corner
    assert read(town, "T26", **NEAREST).told == {}
    town.place_areas.clear()
    museum_of(town, 30)
    assert set(read(town, "T26", **NEAREST).told) == {"n1"}


def test_a_distance_to_a_building_is_none(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.ground("n2", town.square(10, 100, 90))
    assert read(town, "T26", **NEAREST).refused


def test_a_direction_may_differ_by_less_than_two_degrees(town: Any) -> None:
    town.poi("n2", 1000, 90, "Inn")
    museum_of(town, 40)  # 20 m aside: 1.15 degrees
    assert read(town, "T22", **NEAREST).told == {}
    town.place_areas.clear()
    museum_of(town, 80)  # 2.3 degrees
    assert set(read(town, "T22", **NEAREST).told) == {"n1"}


def test_the_count_from_every_corner(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.poi("n3", 330, 90, "Hall")
    asked = {**NEAREST, "distance": 300.0}
    museum_of(town, 20)
    assert read(town, "T23", **asked).told == {}
    town.place_areas.clear()
    museum_of(town, 80)  # 290 m to the hall from the eastern edge
    assert set(read(town, "T23", **asked).told) == {"n1"}


def test_towards_a_large_anchor(town: Any) -> None:
    town.poi("n2", 100, 85, "Inn")
    town.poi("n3", 2000, 90, "Grand Hotel", ("hotel",))
    asked = {**NEAREST, "towards": "n3"}
    assert read(town, "T10", **asked).matter == frozenset()
    town.ground("n3", town.square(2000, 2000, 90))  # from a corner 1 km aside the sector begins elsewhere
    assert set(read(town, "T10", **asked).told) == {"n3"}


def test_what_not_everybody_may_enter(town: Any) -> None:
    town.poi("n3", 150, 270, "Farther")
    town.add(
        "poi", "n2", shapely.Point(*town.at(100, 90)), "Canteen", "restaurant", tags={"access": "customers"}
    )
    reading = read(town, "T5", **NEAREST)
    assert reading.matter == {"without_private"}
    assert not reading.allows_everyday
    assert not reading.refused, "a precise text says that it counts"


def test_the_plane_differs_far_away(town: Any) -> None:
    town.outline = town.square(1_000_000)
    town.poi("n2", 60_000, 45, "Inn")
    assert read(town, "T22", **NEAREST).matter == frozenset()
    town.rows["poi"].pop()
    town.poi("n2", 400_000, 45, "Inn")  # the meridians have drawn together
    assert read(town, "T26", **NEAREST).matter == {"plane"}


def test_an_anchor_that_a_fact_describes_is_not_told(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    town.poi("n3", 150, 270, "Farther")
    museum_of(town, 80)
    asked = {"anchor": "n1 start_date", "category": "restaurant"}
    layers = town.layers()
    found = answer(layers, "T5", NEAREST)
    reading = read_question(layers, rules_of("T8"), asked, found)
    assert reading is not None
    assert (reading.refused, reading.told) == (True, {})


def test_how_far_a_change_could_matter(town: Any) -> None:
    town.poi("n2", 100, 90, "Inn")
    museum_of(town, 20)
    reading = read(town, "T5", **NEAREST)
    assert reading.reach == pytest.approx(1.03 * (100 + 14.1) + 14.1 + 1, abs=0.2)
