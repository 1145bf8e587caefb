"""Our own questions under the published rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.benchmarks.gsqa.published.answers import MAX_SHOWN, published_scorer
from app.core.identity import canonical_json
from app.scores.registry import get_scorer
from app.scores.score import Outcome, Score
from app.solvers.oracle import say_gold

PLACE = {
    "osm_key": "n1",
    "name": "Adler",
    "lon": 9.52,
    "lat": 47.14,
    "distance": 250.0,
    "azimuth": 90.0,
    "address": {"housenumber": "3", "street": "Herrengasse", "city": "Vaduz", "postcode": "9490"},
}
BARE = {
    "osm_key": "n2",
    "name": None,
    "lon": 9.5,
    "lat": 47.1,
    "distance": 900.0,
    "azimuth": 200.0,
    "address": None,
}
GOLD: dict[str, dict[str, Any]] = {
    "name": {"names": ["Adler", "Krone"], "objects": [PLACE], "tolerated": []},
    "location": {"objects": [BARE, PLACE], "tolerated": []},
    "angle": {"azimuth": 90.0},
    "distance": {"objects": [BARE, PLACE], "tolerated": []},
    "length": {"length": 1234.5},
    "area": {"area": 20_000.0},
    "count": {"count": 12},
}
FACT = {"attribute": "opened", "kind": "year", "value": "1904", "unit": None, "names": []}


def judge(name: str, answer: str, gold: dict[str, Any] | None = None) -> Score:
    scorer = published_scorer(name)
    assert scorer is not None
    return scorer.judge(answer, gold or GOLD[name], None)


@pytest.mark.parametrize(
    ("name", "answer", "outcome", "value"),
    [
        ("name", "The nearest one is Adler.", Outcome.CORRECT, 1.0),
        ("name", "Krone Vaduz", Outcome.CORRECT, pytest.approx(2 / 3)),
        ("name", "Linde", Outcome.WRONG, 0.0),
        ("name", "", Outcome.UNPARSEABLE, 0.0),
        ("location", "3 Herrengasse, 9490 Vaduz", Outcome.CORRECT, pytest.approx(6 / 7)),
        ("location", "somewhere", Outcome.UNPARSEABLE, 0.0),
        ("angle", "east", Outcome.CORRECT, 1.0),
        ("angle", "126 degrees", Outcome.WRONG, pytest.approx(0.8)),
        ("angle", "-30 degrees", Outcome.UNPARSEABLE, 0.0),
        ("distance", "0.25 km", Outcome.CORRECT, 1.0),
        ("distance", "1 km", Outcome.WRONG, pytest.approx(8 / 9)),
        ("length", "1234.5 m", Outcome.CORRECT, pytest.approx(1 - 0.5 / 1234.5)),
        ("area", "two hectares", Outcome.CORRECT, 1.0),
        ("area", "900 km²", Outcome.WRONG, 0.0),
        ("count", '{"count": 12, "distance": 3}', Outcome.CORRECT, 1.0),
        ("count", "many", Outcome.UNPARSEABLE, 0.0),
    ],
)
def test_scores(name: str, answer: str, outcome: Outcome, value: float) -> None:
    score = judge(name, answer)
    assert (score.outcome, score.value) == (outcome, value)


def test_both_published_scores_are_kept() -> None:
    score = judge("angle", "It lies to the east.")
    assert score.components["text_P"].value == pytest.approx(1 / 2)
    assert score.components["text_R"].value == 1.0
    assert score.components["parsed_F1"].value == 1.0
    assert score.components["parsed_angle_error"].value == 0.0
    assert score.parsed["objects"][0]["azimuth_angle"] == 90.0


@pytest.mark.parametrize("name", sorted(GOLD))
def test_every_scorer_of_ours_but_options_has_its_published_rules(name: str) -> None:
    assert get_scorer(name).name == name
    assert published_scorer("option") is None


@pytest.mark.parametrize("name", ["name", "angle", "length", "area", "count", "distance"])
def test_gold_said_aloud_is_right(name: str) -> None:
    answer_type = "azimuth" if name == "angle" else name
    assert judge(name, say_gold(answer_type, GOLD[name])).outcome is Outcome.CORRECT


def test_questions_that_lean_on_facts_have_a_text_score_alone() -> None:
    asked = judge("fact", "Adler opened in 1904.", {"fact": FACT, "objects": [PLACE]})
    assert asked.outcome is Outcome.CORRECT
    assert asked.value == 1.0
    described = judge("name", "Adler", {**GOLD["name"], "fact": FACT})
    assert {name.partition("_")[0] for name in described.components} == {"text"}


def test_a_fact_that_is_a_name_is_compared_by_its_first() -> None:
    fact = {
        **FACT,
        "attribute": "architect",
        "kind": "name",
        "value": "x",
        "names": ["Ivan Cavegn", "Cavegn"],
    }
    score = judge("fact", "Ivan Cavegn", {"fact": fact, "objects": [PLACE]})
    assert score.components["text_R"].value == 0.5


def test_long_lists_are_not_stored_whole() -> None:
    assert len(judge("name", "- Adler\n" * 5000).parsed["objects"]) == MAX_SHOWN


@given(st.sampled_from(sorted(GOLD)), st.text() | st.text(alphabet='{}":,0123456789 aN°'))
def test_any_answer_is_scored(name: str, answer: str) -> None:
    score = judge(name, answer)
    assert 0 <= score.value <= 1
    canonical_json({key: part.as_json() for key, part in score.components.items()}).encode()
    canonical_json(dict(score.parsed)).encode()
