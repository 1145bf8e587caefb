"""The right answers of the Reasoning Module: the paper's worked cases as they are computed, and figures drawn by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.urban_reasoning.truth.destinations import bounds_of, destination_of
from app.benchmarks.urban_reasoning.truth.orders import best_order, orders_of, spots_of
from app.benchmarks.urban_reasoning.truth.relations import (
    relation_of_areas,
    relation_of_road_and_area,
    relation_of_roads,
)
from app.benchmarks.urban_reasoning.truth.sphere import (
    WINDS,
    Leg,
    Point,
    angle_between,
    from_edge_of_sector,
    leg_on_ground,
    leg_on_sphere,
    rounded_bearing,
    wind_of,
)
from app.benchmarks.urban_reasoning.truth.ways import best_way, ways_of
from tests.support.papers import worked_cases

CASES = {case["figure"]: case for case in worked_cases("urbangeoeval")}


def points(printed: list[list[float]]) -> list[Point]:
    return [Point(*one) for one in printed]


def given_and_expected(figure: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return CASES[figure]["given"], CASES[figure]["expected"]


def test_distance_of_figure_33() -> None:
    told, expected = given_and_expected(33)
    ends = Point(*told["p1"]), Point(*told["p2"])
    assert leg_on_sphere(*ends).metres == pytest.approx(1000 * expected["km_sphere"], abs=1e-3)
    assert leg_on_ground(*ends).metres == pytest.approx(1000 * expected["km_wgs84"], abs=1e-3)


def test_direction_of_figure_34() -> None:
    told, expected = given_and_expected(34)
    ends = Point(*told["p1"]), Point(*told["p2"])
    bearing = leg_on_sphere(*ends).bearing
    assert bearing == pytest.approx(expected["bearing_deg_sphere"], abs=1e-5)
    assert leg_on_ground(*ends).bearing == pytest.approx(expected["bearing_deg_wgs84"], abs=1e-5)
    assert wind_of(bearing) == expected["direction_16"]


def test_relations_of_figures_35_to_37() -> None:
    """Figure 36 is keyed Touch in the paper, though a corner of its road lies 71 m inside the printed ring."""
    roads, road_and_area, areas = (CASES[figure]["given"] for figure in (35, 36, 37))
    assert relation_of_roads(points(roads["road_1"]), points(roads["road_2"])) == "Intersecting"
    assert (
        relation_of_road_and_area(points(road_and_area["road"]), points(road_and_area["area"]))
        == "Pass through"
    )
    assert relation_of_areas(points(areas["area_1"]), points(areas["area_2"])) == "Overlapping"


def test_order_of_figure_38() -> None:
    told, expected = given_and_expected(38)
    legs = [Leg(1000 * leg["km"], leg["bearing_deg"]) for leg in told["legs"]]
    best, second = orders_of(spots_of(legs))[:2]
    assert [told["names"][place] for place in best.places] == expected["order"]
    assert [told["names"][place] for place in second.places] == expected["second_order"]
    assert best.metres == pytest.approx(1000 * expected["km"], abs=0.1)
    assert second.metres == pytest.approx(1000 * expected["second_km"], abs=0.1)
    assert best_order(legs) == best


def test_destination_of_figure_39_is_refused_by_our_stricter_rule() -> None:
    """Its key lies 43° off the overall heading."""
    told, expected = given_and_expected(39)
    way = points([one["at"] for one in told["trajectory"]])
    candidates = points(list(told["candidates"].values()))
    bounds = dict(zip(told["candidates"], bounds_of(way, candidates), strict=True))
    key = bounds[expected["destination"]]
    assert min(bounds, key=lambda name: bounds[name].off_last) == expected["destination"]
    assert key.off_overall == pytest.approx(
        expected["candidates"][expected["destination"]]["off_overall_heading_deg"], abs=0.2
    )
    assert not key.is_ahead()
    assert destination_of(way, candidates) is None


def test_way_of_figure_40() -> None:
    told, expected = given_and_expected(40)
    segments = {name: (Point(*ends[0]), Point(*ends[1])) for name, ends in told["segments"].items()}
    best, other = ways_of(segments, Point(*told["start"]), Point(*told["goal"]))
    assert list(best.names) == expected["route"]
    assert list(other.names) == expected["other_route"]
    assert best.metres == pytest.approx(1000 * expected["km_sphere"], abs=0.1)
    assert other.metres == pytest.approx(1000 * expected["other_km_sphere"], abs=0.1)
    assert best_way(segments, Point(*told["start"]), Point(*told["goal"])) == best


STREET = points([[47.0, 9.0], [47.0, 9.005], [47.0, 9.01]])
SQUARE = points([[47.0, 9.0], [47.0, 9.01], [47.01, 9.01], [47.01, 9.0]])


@pytest.mark.parametrize(
    ("other", "relation"),
    [
        ([[46.995, 9.005], [47.005, 9.005]], "Intersecting"),
        ([[47.001, 9.0], [47.001, 9.01]], "Parallel"),
        ([[47.001, 9.02], [47.001, 9.03]], None),
        ([[47.02, 9.0], [47.02, 9.01]], None),
        ([[47.001, 9.0], [47.01, 9.002]], "Disconnected"),
        ([[47.0001, 9.005], [47.01, 9.005]], None),
        ([[47.0, 9.01], [47.01, 9.01]], "Intersecting"),
        ([[47.001, 9.0], [47.0035, 9.01]], None),
    ],
)
def test_roads_cross_or_run_side_by_side_or_neither(other: list[list[float]], relation: str | None) -> None:
    assert relation_of_roads(STREET, points(other)) == relation
    assert relation_of_roads(points(other), STREET) == relation


@pytest.mark.parametrize(
    ("road", "relation"),
    [
        ([[47.005, 8.99], [47.005, 9.02]], "Pass through"),
        ([[46.99, 9.005], [47.0, 9.0], [46.99, 8.99]], "Touch"),
        ([[46.99, 9.0], [46.99, 9.01]], "Lie outside"),
        ([[46.9999, 9.0], [46.9999, 9.01]], None),
        ([[46.99, 9.005], [47.00001, 9.005], [46.99, 9.006]], None),
    ],
)
def test_a_road_passes_through_an_area_or_touches_it_or_does_not(
    road: list[list[float]], relation: str | None
) -> None:
    assert relation_of_road_and_area(points(road), SQUARE) == relation
    closed = [*SQUARE, SQUARE[0]]
    assert relation_of_road_and_area(points(road), closed) == relation


@pytest.mark.parametrize(
    ("ring", "relation"),
    [
        ([[47.002, 9.002], [47.002, 9.004], [47.004, 9.004]], "Overlapping"),
        ([[47.0, 9.01], [47.01, 9.01], [47.01, 9.02], [47.0, 9.02]], "Adjacent"),
        ([[47.0, 9.02], [47.01, 9.02], [47.01, 9.03]], "Separate"),
        ([[47.0, 9.0101], [47.01, 9.0101], [47.01, 9.02]], None),
        ([[47.01, 9.01], [47.02, 9.01], [47.02, 9.02]], None),
    ],
)
def test_areas_overlap_or_meet_or_do_not(ring: list[list[float]], relation: str | None) -> None:
    assert relation_of_areas(SQUARE, points(ring)) == relation
    assert relation_of_areas(points(ring), SQUARE) == relation


def test_one_candidate_lies_ahead() -> None:
    way = points([[47.0, 9.0], [47.0, 9.01], [47.0, 9.02]])
    ahead, behind, aside = Point(47.001, 9.05), Point(47.0, 8.9), Point(47.05, 9.02)
    assert destination_of(way, [behind, ahead, aside]) == 1
    assert destination_of(way, [behind, ahead, Point(47.0, 9.06)]) is None
    assert destination_of(way, [behind, aside]) is None
    assert destination_of(way, [behind, ahead, Point(47.02, 9.05)]) is None, (
        "44° off is neither ahead nor off"
    )


def test_a_way_without_a_choice_is_none() -> None:
    start, middle, goal = Point(47.0, 9.0), Point(47.0, 9.01), Point(47.0, 9.02)
    alone = {"One": (start, middle), "Two": (middle, goal)}
    assert best_way(alone, start, goal) is None
    round_about = {**alone, "Three": (start, Point(47.01, 9.01)), "Four": (Point(47.01, 9.01), goal)}
    found = best_way(round_about, start, goal)
    assert found is not None
    assert found.names == ("One", "Two")


@pytest.mark.parametrize(("bearing", "rounded"), [(359.99999, 0.0), (1e-12, 0.0), (359.994, 359.99)])
def test_what_is_rounded_to_a_full_turn_is_north(bearing: float, rounded: float) -> None:
    """Two programs may be a hair to either side of north."""
    assert rounded_bearing(bearing) == rounded


@given(st.floats(0, 360, exclude_max=True))
def test_a_wind_is_the_nearest_of_sixteen(bearing: float) -> None:
    middle = 22.5 * WINDS.index(wind_of(bearing))
    assert angle_between(bearing, middle) <= 11.25 + 1e-9
    assert from_edge_of_sector(bearing) == pytest.approx(11.25 - angle_between(bearing, middle), abs=1e-9)


@given(st.lists(st.tuples(st.floats(10, 5000), st.floats(0, 360)), min_size=4, max_size=4))
def test_the_best_order_is_as_short_however_the_plane_is_turned(told: list[tuple[float, float]]) -> None:
    turned = [Leg(metres, (bearing + 77) % 360) for metres, bearing in told]
    one = orders_of(spots_of([Leg(*leg) for leg in told]))[0]
    other = orders_of(spots_of(turned))[0]
    assert one.metres == pytest.approx(other.metres, rel=1e-9)
    assert one.metres <= sum(metres for metres, _ in told) + 1e-6
