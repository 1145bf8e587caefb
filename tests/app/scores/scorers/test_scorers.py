"""Each scorer against answers whose score is known by hand; and what holds for all of them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.errors import NotFound
from app.core.identity import canonical_json
from app.scores.profiles import TRIGPOINT
from app.scores.registry import get_scorer, scorer
from app.scores.score import Outcome, Score
from app.solvers.oracle import say_gold

OPTIONS = ["Adler", "Krone", "Linde", "Bohne"]
GOLD: dict[str, dict[str, Any]] = {
    "option": {"index": 1, "text": "Krone", "objects": ["n3"]},
    "name": {
        "names": ["Adler", "Krone"],
        "objects": [],
        "tolerated": [{"osm_key": "n5", "name": "Bohne", "lon": 9.5, "lat": 47.1, "distance": 99.0}],
    },
    "angle": {"azimuth": 350.0, "objects": []},
    "count": {"count": 20},
    "area": {"area": 10_000.0},
    "distance": {"distance": 1200.0, "objects": []},
    "length": {"length": 3000.0},
}
ANY_OF = {
    "objects": [{"azimuth": 350.0, "distance": 100.0}, {"azimuth": 90.0, "distance": 400.0}],
    "tolerated": [{"azimuth": 180.0, "distance": 990.0}],
}


def judge(name: str, answer: str) -> Score:
    return get_scorer(name).judge(answer, GOLD[name], OPTIONS if name == "option" else None)


@pytest.mark.parametrize(
    ("scorer_name", "answer", "outcome", "value"),
    [
        ("option", "B", "correct", 1.0),
        ("option", "Krone", "correct", 1.0),
        ("option", "C", "wrong", 0.0),
        ("option", "B or C", "unparseable", 0.0),
        ("name", "krone", "correct", 1.0),
        ("name", "The nearest one is Adler.", "correct", 1.0),
        ("name", "Bohne", "correct", 1.0),
        ("name", "Adler Krone", "wrong", 0.0),
        ("name", "Linde or Adler", "wrong", 0.0),
        ("name", "- Linde\n- Adler", "wrong", 0.0),
        ("name", "", "unparseable", 0.0),
        ("angle", "350", "correct", 1.0),
        ("angle", "8", "correct", 1 - 18 / 36),
        ("angle", "8.01", "wrong", 1 - 18.01 / 36),
        ("angle", "north", "correct", 1 - 10 / 36),
        ("angle", "170", "wrong", 0.0),
        ("angle", "305", "wrong", 0.0),
        ("angle", "400", "unparseable", 0.0),
        ("count", "20", "correct", 1.0),
        ("count", "22", "correct", 0.5),
        ("count", "18", "correct", 0.5),
        ("count", "23", "wrong", 0.25),
        ("count", "zero", "wrong", 0.0),
        ("count", "1000", "wrong", 0.0),
        ("count", "-20", "wrong", 0.0),
        ("count", "no idea", "unparseable", 0.0),
        ("area", "1 ha", "correct", 1.0),
        ("area", "0.011 km²", "correct", 0.5),
        ("area", "11800", "wrong", 0.1),
        ("area", "10 km", "unparseable", 0.0),
        ("distance", "1.2 km", "correct", 1.0),
        ("distance", "1080 metres", "correct", 0.5),
        ("distance", "twelve hundred", "correct", 1.0),
        ("distance", "600", "wrong", 0.0),
        ("distance", "12 minutes on foot", "unparseable", 0.0),
        ("distance", "1 to 2 km", "unparseable", 0.0),
        ("length", "3 km", "correct", 1.0),
        ("length", "about 3,300 m", "correct", 0.5),
        ("length", "2.5 km", "wrong", 1 / 6),
        ("length", "3 km2", "unparseable", 0.0),
        ("length", "", "unparseable", 0.0),
    ],
)
def test_scores(scorer_name: str, answer: str, outcome: str, value: float) -> None:
    score = judge(scorer_name, answer)
    assert score.outcome == outcome
    assert score.value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("scorer_name", "answer", "outcome", "value"),
    [
        ("angle", "5 degrees", "correct", 1 - 15 / 36),
        ("angle", "100 degrees", "correct", 1 - 10 / 36),
        ("angle", "181", "correct", 1 - 1 / 36),  # what is tolerated is accepted
        ("angle", "225", "wrong", 0.0),
        ("distance", "110 m", "correct", 0.5),
        ("distance", "0.4 km", "correct", 1.0),
        ("distance", "990", "correct", 1.0),
        ("distance", "118 m", "wrong", 0.1),
    ],
)
def test_any_of_several_answers_is_right(scorer_name: str, answer: str, outcome: str, value: float) -> None:
    score = get_scorer(scorer_name).judge(answer, ANY_OF, None)
    assert score.outcome == outcome
    assert score.value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("scorer_name", ["angle", "distance"])
def test_gold_without_any_answer_is_a_fault_of_ours(scorer_name: str) -> None:
    with pytest.raises(ValueError, match="gold has no"):
        get_scorer(scorer_name).judge("5", {"objects": [], "tolerated": []}, None)


@given(st.floats(min_value=1, max_value=1e8))
def test_the_oracle_is_right_on_metres(metres: float) -> None:
    for name in ("distance", "length"):
        assert get_scorer(name).judge(say_gold(name, {name: metres}), {name: metres}, None).value == 1.0
    several = {"objects": [{"distance": metres, "azimuth": metres % 360}], "tolerated": []}
    assert get_scorer("distance").judge(say_gold("distance", several), several, None).value == 1.0
    said = get_scorer("angle").judge(say_gold("azimuth", several), several, None)
    assert said.value == pytest.approx(1.0, abs=1e-6)


def test_components_carry_the_error_in_its_unit() -> None:
    component = judge("angle", "20").components["error_degrees"]
    assert (component.value, component.maximum, component.attempted) == (30.0, 180.0, True)
    assert judge("count", "15").components["relative_error"].value == 0.25
    assert judge("area", "5 km²").components["relative_error"] == (1.0, 1.0, True)


def test_what_is_not_attempted_says_so() -> None:
    component = judge("angle", "over there").components["error_degrees"]
    assert (component.value, component.attempted) == (180.0, False)
    assert judge("option", "?").components["choice"] == (0.0, 1.0, False)
    assert judge("option", "?").parsed == {"unread": "no option named"}


@pytest.mark.parametrize("scorer_name", sorted(GOLD))
@given(answer=st.text())
def test_any_text_gets_a_score_that_can_be_stored(scorer_name: str, answer: str) -> None:
    score = judge(scorer_name, answer)
    assert 0.0 <= score.value <= 1.0
    assert score.outcome in Outcome
    assert score.outcome != Outcome.UNPARSEABLE or score.value == 0.0
    stored = canonical_json(
        {"parsed": score.parsed, "components": {k: v.as_json() for k, v in score.components.items()}}
    )
    assert "\\u0000" not in stored
    stored.encode()
    assert score == judge(scorer_name, answer)
    assert json.loads(stored)["parsed"] == score.parsed


@given(st.floats(min_value=0, max_value=360, exclude_max=True))
def test_the_oracle_is_right_on_angles(azimuth: float) -> None:
    score = get_scorer("angle").judge(say_gold("azimuth", {"azimuth": azimuth}), {"azimuth": azimuth}, None)
    assert score.outcome == Outcome.CORRECT
    assert score.value == pytest.approx(1.0, abs=1e-6)


@given(st.integers(1, 10**9))
def test_the_oracle_is_right_on_counts(count: int) -> None:
    assert get_scorer("count").judge(say_gold("count", {"count": count}), {"count": count}, None).value == 1.0


@given(st.floats(min_value=1, max_value=1e12))
def test_the_oracle_is_right_on_areas(area: float) -> None:
    assert get_scorer("area").judge(say_gold("area", {"area": area}), {"area": area}, None).value == 1.0


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=255).filter(str.strip))
def test_an_accepted_name_word_for_word_is_right(name: str) -> None:
    gold = {"names": [name], "objects": [], "tolerated": []}
    assert get_scorer("name").judge(name, gold, None).outcome == Outcome.CORRECT


def test_the_circle_is_measured_the_short_way_round() -> None:
    near_north = get_scorer("angle").judge("359.5", {"azimuth": 0.5}, None)
    assert near_north.components["error_degrees"].value == pytest.approx(1.0)


def test_spelled_out_numbers_share_no_words_with_wrong_ones() -> None:
    """Token F1 gives "two hundred ten" two thirds for "two hundred"; a relative error does not."""
    right = get_scorer("count").judge("two hundred", {"count": 200}, None)
    wrong = get_scorer("count").judge("two hundred thousand", {"count": 200}, None)
    assert (right.value, wrong.value) == (1.0, 0.0)


def test_gold_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        get_scorer("count").judge("3", {"count": 0}, None)
    with pytest.raises(ValueError, match="needs options"):
        get_scorer("option").judge("A", GOLD["option"], None)


def test_a_scorer_registers_once() -> None:
    with pytest.raises(ValueError, match="two scorers"):
        scorer("option", version=1, graded=False)(lambda answer, gold, options: judge("option", answer))
    with pytest.raises(NotFound, match="there are angle, area, count"):
        get_scorer("f1")


def test_a_new_scorer_version_needs_a_new_profile_version() -> None:
    assert TRIGPOINT.is_current(), (
        "bump TRIGPOINT.version and list the scorers' versions in app/scores/profiles.py"
    )
