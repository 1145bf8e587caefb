"""The answer scores of UrbanGeoEval's Reasoning Module: the paper's worked cases, and answers whose points are known."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.scores.registry import get_scorer
from app.scores.score import Outcome, Score
from tests.support.papers import worked_cases

PLACES = ["Northall", "Square", "Bridge", "Eye", "Bridge Street"]
SEGMENTS = {
    "Long Road": [[0, 0], [0, 1]],
    "Short Cut": [[0, 1], [1, 1]],
    "Detour": [[0, 1], [2, 2]],
    "Back": [[2, 2], [1, 1]],
}
GOLD: dict[str, dict[str, Any]] = {
    "urban_distance": {"distance": 3340.0},
    "urban_bearing": {"azimuth": 109.74},
    "urban_relation": {"relation": "Touch"},
    "urban_order": {"order": PLACES},
    "urban_route": {
        "route": ["Long Road", "Short Cut"],
        "segments": SEGMENTS,
        "start": [0, 0],
        "goal": [1, 1],
    },
}


def judge(name: str, answer: str, gold: dict[str, Any] | None = None) -> Score:
    return get_scorer(name).judge(answer, gold or GOLD[name], None)


@pytest.mark.parametrize(
    ("scorer", "answer", "points"),
    [
        ("urban_distance", "<answer>3.34 km</answer>", 10.0),
        ("urban_distance", "3340 m", 10.0),
        ("urban_distance", "<answer>13.43 km</answer>", 0.0),
        ("urban_distance", "It is <answer>about 4.59 kilometres</answer>", 8.75),
        (
            "urban_bearing",
            "<answer>Bearing: 109.74 degrees, Cardinal direction: East-Southeast</answer>",
            10.0,
        ),
        ("urban_bearing", "Bearing: 119.74 degrees, Cardinal direction: ESE", 7.5),
        ("urban_bearing", "Bearing: 109.74 degrees, Cardinal direction: North", 8.0),
        ("urban_bearing", "109.74 degrees, North", 8.0),
        ("urban_bearing", "<answer>Bearing: 109.74 degrees, Cardinal direction: East</answer>", 10.0),
        ("urban_bearing", "109.74°", 10.0),
        ("urban_bearing", "Bearing: 289.74 degrees, Cardinal direction: South", 0.0),
        ("urban_relation", "<answer>Touch the area</answer>", 10.0),
        ("urban_relation", "The road touches it.", 10.0),
        ("urban_relation", "<answer>Passes through the area</answer>", 0.0),
        (
            "urban_relation",
            "It does not pass through the area.\n<answer>Touch, not pass through</answer>",
            10.0,
        ),
        ("urban_order", "Northall -> Square -> Bridge -> Eye -> Bridge Street", 10.0),
        ("urban_order", "<answer>Northall→Square→Bridge→Eye→Bridge Street</answer>", 10.0),
        ("urban_order", "<answer>Northall->Square->Bridge Street->Eye->Bridge</answer>", 6.0),
        ("urban_order", "Square, Bridge, Eye, Bridge Street", 10.0),
        ("urban_order", "Northall -> Square", 4.0),
        ("urban_order", "Bridge Street -> Northall -> Square -> Bridge -> Eye", 0.0),
    ],
)
def test_points(scorer: str, answer: str, points: float) -> None:
    score = judge(scorer, answer)
    assert score.components["points"] == (points, 10.0, True)
    assert score.value == points / 10
    assert (score.outcome == Outcome.CORRECT) == (points == 10.0)


@pytest.mark.parametrize(
    ("answer", "accuracy"),
    [
        ("<answer>Take Long Road, stay on Long Road, then turn into Short Cut.</answer>", 5.0),
        ("Long Road, then Detour, then Back", 2.0),
        ("Long Road, then Back", 0.0),
        ("Short Cut", 0.0),
    ],
)
def test_a_way_is_the_shortest_or_leads_to_the_goal_or_does_not(answer: str, accuracy: float) -> None:
    score = judge("urban_route", answer)
    assert score.components["accuracy"] == (accuracy, 5.0, True)


@pytest.mark.parametrize("scorer", sorted(GOLD))
@pytest.mark.parametrize("answer", ["", "I cannot tell.", "<answer></answer>"])
def test_what_tells_nothing_is_unparseable(scorer: str, answer: str) -> None:
    assert judge(scorer, answer).outcome == Outcome.UNPARSEABLE


def test_the_papers_worked_cases_earn_what_its_rubric_gives() -> None:
    earned = {
        case["figure"]: _of_case(case)
        for case in worked_cases("urbangeoeval")
        if case["task"] in ("DS", "DR", "RE", "PN")
    }
    assert earned == {33: 0.0, 34: 9.64, 35: 0.0, 36: 0.0, 37: 10.0, 38: 6.0}


def test_a_route_of_the_papers_case_is_valid_and_not_the_shortest() -> None:
    case = next(one for one in worked_cases("urbangeoeval") if one["task"] == "NV")
    gold = {**case["given"], "route": case["expected"]["route"]}
    score = judge("urban_route", ", then ".join(case["model"]["route"]), gold)
    assert score.components["accuracy"].value == case["accuracy_by_rubric"]


def _of_case(case: dict[str, Any]) -> float:
    """The points of the model's answer against the published truth."""
    model, published = case["model"], case["published"]
    match case["task"]:
        case "DS":
            return _points("urban_distance", f"{model['km']} km", distance=1000 * published["truth_km"])
        case "DR":
            said = f"Bearing: {model['bearing_deg']} degrees, Cardinal direction: {model['direction']}"
            return _points("urban_bearing", said, azimuth=published["truth_deg"])
        case "RE":
            truth = published["truth"].removesuffix(" the area")
            return _points("urban_relation", model["relation"], relation=truth)
        case "PN":
            return _points("urban_order", "->".join(model["order"]), order=published["truth"])
    raise AssertionError(f"{case['task']} has no answer score by program")


def _points(scorer: str, said: str, **gold: Any) -> float:
    return judge(scorer, f"<answer>{said}</answer>", gold).components["points"].value


@pytest.mark.parametrize("scorer", sorted(GOLD))
@given(
    answer=st.one_of(
        st.text(),
        st.lists(st.sampled_from([*PLACES, *SEGMENTS, "not", "touch", "<answer>", "->", "3 km", "E"])).map(
            " ".join
        ),
    )
)
def test_any_text_gets_a_score_that_can_be_stored(scorer: str, answer: str) -> None:
    score = judge(scorer, answer)
    assert 0.0 <= score.value <= 1.0
    assert score.outcome != Outcome.UNPARSEABLE or score.value == 0.0
    assert "\\u0000" not in json.dumps(score.parsed)
    assert score == judge(scorer, answer)


@given(st.permutations(PLACES))
def test_an_order_is_read_as_it_is_written(order: list[str]) -> None:
    score = judge("urban_order", " -> ".join(order))
    assert score.parsed["order"] == order
    assert score.components["misplaced"].value == sum(a != b for a, b in zip(order, PLACES, strict=True))
