"""Second path of T21, T23, T25 and T26, around a museum in the middle of a tiny town."""

from typing import Any

import pytest

from tests.support.second_path import answer

NEAREST = {"anchor": "n1", "category": "restaurant"}


def ask(town: Any, template: str, **parameters: Any) -> Any:
    return answer(town.layers(), template, {**NEAREST, **parameters})


def test_distance_to_the_nearest(town: Any) -> None:
    town.poi("n2", 100, 30, None)
    town.poi("n3", 120, 200, "Krone")
    found = ask(town, "T26")
    assert found.refusal is None
    assert found.value["distance"] == pytest.approx(100, abs=1e-6)
    assert found.value["objects"][0]["osm_key"] == "n2"
    town.poi("n4", 109, 90, "Linde")
    assert ask(town, "T26").refusal == "margin"
    town.poi("n5", 19, 90, "Theke")
    assert ask(town, "T26").refusal == "too_near"
    assert ask(town, "T26", category="cafe").refusal == "no_candidate"


def test_any_place_of_a_range(town: Any) -> None:
    town.poi("n2", 100, 10, None)
    town.poi("n3", 996, 30, "Krone")
    town.poi("n4", 1011, 90, "Linde")
    for template in ("T21", "T25"):
        found = ask(town, template, distance=1000.0)
        assert found.refusal is None
        assert [one["osm_key"] for one in found.value["objects"]] == ["n2"]
        assert [one["osm_key"] for one in found.value["tolerated"]] == ["n3"]
    assert ask(town, "T21", distance=1000.0).value["objects"][0]["azimuth"] == pytest.approx(10)
    assert "azimuth" not in ask(town, "T25", distance=1000.0).value["objects"][0]
    # 80 to 120 m … 10 % of 100, and what of 996's tenth lies below 1,000: 20 and 103.6 m
    assert ask(town, "T25", distance=1000.0).facts["covered"] == pytest.approx((20 + 103.6) / 1000)
    # 352 to 48 degrees
    assert ask(town, "T21", distance=1000.0).facts["covered"] == pytest.approx(56 / 360)


@pytest.mark.parametrize("template", ["T21", "T25"])
def test_rules_of_a_range(town: Any, template: str) -> None:
    assert ask(town, template, distance=500.0).refusal == "zero"
    for number in range(3):
        town.poi(f"n{number + 2}", 250 + 100 * number, 100 * number, None)
    assert ask(town, template, distance=500.0).refusal == "vacuous"
    for number in range(10):
        town.poi(f"n{number + 20}", 300, 5, None)
    assert ask(town, template, distance=500.0).refusal == "too_many"
    assert ask(town, template, distance=260.0).refusal is None
    town.poi("n40", 19, 0, None)
    assert ask(town, template, distance=260.0).refusal == "too_near"
    assert ask(town, template, distance=-5.0).refusal == "bad_parameters"
    assert ask(town, template, distance=1e9).refusal in ("too_many", "leaves_outline")


def test_a_place_on_the_anchor_has_no_direction(town: Any) -> None:
    town.poi("n2", 0, 0, "Theke")
    assert ask(town, "T21", distance=500.0).refusal == "too_near"


@pytest.mark.parametrize(
    ("metres", "refusal", "count"),
    [(498.5, None, 2), (499.5, "margin", 2), (500.5, "margin", 1), (501.5, None, 1)],
)
def test_nothing_counted_near_the_circle(town: Any, metres: float, refusal: str | None, count: int) -> None:
    town.poi("n2", 100, 10, None)
    town.poi("n3", metres, 30, "Krone")
    found = ask(town, "T23", distance=500.0)
    assert (found.refusal, found.value) == (refusal, {"count": count})


def test_rules_of_a_count(town: Any) -> None:
    assert ask(town, "T23", distance=500.0).refusal == "zero"
    town.poi("n2", 100, 10, None, repaired=True)
    assert ask(town, "T23", distance=500.0).refusal == "repaired_geometry"
    assert ask(town, "T23", distance=20_000.0).refusal == "repaired_geometry"
    town.rows["poi"].pop()
    town.poi("n3", 100, 10, None)
    assert ask(town, "T23", distance=20_000.0).refusal == "leaves_outline"
    for number in range(500):
        town.poi(f"n{number + 10}", 200, 0.5 * number, None)
    assert ask(town, "T23", distance=500.0).refusal == "too_many"
