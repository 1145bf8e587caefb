"""A nearest in a direction, or of a narrowed category, is looked for within 50 km: both paths say where that ends."""

from typing import Any

import pytest
import shapely

from app.questions.derivations import Case, derive
from app.templates.catalogue import find_benchmark
from tests.support.second_path import answer

ASKED: dict[str, dict[str, Any]] = {
    "T6": {"category": "restaurant:cuisine=pizza"},
    "T9": {"category": "restaurant", "sector": 0},
    "T10": {"category": "restaurant", "towards": "n9"},
}
TWINS = {"T6": "T18", "T9": "T19", "T10": "T20"}
NEAR, FAR = 49_000.0, 49_030.0
"""Metres: with its margin of 2 % the first lies within 50 km, the second does not."""


@pytest.mark.parametrize("template", [*ASKED, *TWINS.values()])
@pytest.mark.parametrize(("metres", "refusal"), [(NEAR, None), (FAR, "too_far")])
@pytest.mark.long
def test_the_nearest_must_lie_within_50_km_with_its_margin(
    town: Any, template: str, metres: float, refusal: str | None
) -> None:
    town.outline = town.square(200_000)
    town.poi("n9", 5000, 0, "Goal", ("museum",))
    pizza = {"tags": {"cuisine": "pizza"}}
    town.add("poi", "n2", shapely.Point(*town.at(metres, 0)), "Far Inn", "restaurant", **pizza)
    asked = ASKED.get(template) or ASKED[next(one for one, twin in TWINS.items() if twin == template)]
    assert answer(town.layers(), template, {"anchor": "n1", **asked}).refusal == refusal
    assert answer(town.layers(), "T5", {"anchor": "n1", "category": "restaurant"}).refusal is None

    header = find_benchmark("gsqa").templates[template].header
    row = {"osm_key": "n2", "name": "Far Inn", "lon": 9.5, "lat": 47.5, "distance": metres, "repaired": False}
    row |= {"aside": 0.0, "address": None} | ({"apart": 5000.0} if "towards" in asked else {})
    case = Case([row], {**header.constants, **asked}, header.margins, header.limits)
    assert derive("gsqa", header.derive, case).refusal == refusal
