"""Whether the answer to which a plan leads is gold, where several places are right."""

from typing import Any

import pytest

from app.questions.tool_plans import is_answer

PLACES = {
    "objects": [
        {"osm_key": "n1", "distance": 100.0, "azimuth": 359.99},
        {"osm_key": "n2", "distance": 250.0},
    ],
    "tolerated": [{"osm_key": "n3", "distance": 500.0}],
}


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        ({"osm_key": "n2"}, True),
        ({"osm_key": "n3"}, False),
        ({"distance": 250.04}, True),
        ({"distance": 500.0}, False),
        ({"azimuth": 0.02}, True),
        ({"azimuth": 180.0}, False),
        ({"count": 2}, False),
        ({}, False),
    ],
)
def test_any_of_golds_places_is_right(answer: dict[str, Any], is_right: bool) -> None:
    assert is_answer(answer, PLACES) is is_right


def test_where_gold_is_one_number_no_other_place_counts() -> None:
    assert not is_answer({"distance": 250.0}, {"distance": 100.0, **PLACES})
