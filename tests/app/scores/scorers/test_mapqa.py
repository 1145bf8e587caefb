"""Answers to MapQA's questions: sets of names, kinds of amenities, and distances up to one per cent."""

from typing import Any

import pytest

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.scores.registry import get_scorer
from app.scores.score import Outcome, Score

BARS = {"members": ["The Berkshire Room", "Broken Shaker Chicago"]}
KINDS = {"members": ["fast_food", "place_of_worship", "school"]}
AWKWARD = {"members": ["Ausrine Schneider, DDS", "Bread; Butter", "Fish and Chips"]}
NOTHING: dict[str, Any] = {"members": []}


def names(answer: str, gold: dict[str, Any]) -> Score:
    return get_scorer("mapqa_names").judge(answer, gold, None)


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("The Berkshire Room; Broken Shaker Chicago", BARS),
        ("broken shaker chicago, the berkshire room", BARS),
        ("- **The Berkshire Room** (12 m)\n- Broken Shaker Chicago (40 m)", BARS),
        ('["Broken Shaker Chicago", "The Berkshire Room"]', BARS),
        ("Within 50 m there are two: The Berkshire Room and Broken Shaker Chicago.", BARS),
        ("I looked at the map.\nAnswer: The Berkshire Room; Broken Shaker Chicago", BARS),
        ("1. The Berkshire Room\n2. Broken Shaker Chicago", BARS),
        ("fast food, place of worship and school", KINDS),
        ("schools; place_of_worship; fast_food", KINDS),
        ("Ausrine Schneider, DDS; Bread; Butter; Fish and Chips", AWKWARD),
        ("Fish and Chips, Ausrine Schneider, DDS, Bread; Butter", AWKWARD),
        ("none", NOTHING),
        ("No amenities found", NOTHING),
        ("There are no amenities within 100 metres.", NOTHING),
    ],
)
def test_whole_sets_are_right(answer: str, gold: dict[str, Any]) -> None:
    score = names(answer, gold)
    assert (score.outcome, score.value) == (Outcome.CORRECT, 1.0)
    assert score.components["f1"].value == 1.0


@pytest.mark.parametrize(
    ("answer", "gold", "f1"),
    [
        ("The Berkshire Room", BARS, 2 / 3),
        ("The Berkshire Room; Broken Shaker Chicago; Circuit", BARS, 0.8),
        ("Circuit; Hawg Dogs", BARS, 0.0),
        ("none", BARS, 0.0),
        ("school", NOTHING, 0.0),
        ("school, bar, cafe, bank, fast food, place of worship", KINDS, 6 / 9),
    ],
)
def test_parts_and_surplus_are_wrong_and_have_their_f1(answer: str, gold: dict[str, Any], f1: float) -> None:
    score = names(answer, gold)
    assert (score.outcome, score.value) == (Outcome.WRONG, 0.0)
    assert score.components["f1"].value == pytest.approx(f1)


def test_an_answer_without_any_name_is_unparseable() -> None:
    assert names("I would have to look at the map.", BARS).outcome is Outcome.UNPARSEABLE
    assert names("", BARS).outcome is Outcome.UNPARSEABLE


@pytest.mark.parametrize(
    "answer", ["[" * 100_000, "; " * 100_000, "a, " * 60_000, '["' + "x" * 100_000, "- \n" * 50_000]
)
def test_hostile_answers_are_read_in_time(answer: str) -> None:
    assert names(answer, BARS).value == 0.0


@pytest.mark.parametrize(
    ("answer", "right"),
    [("1000 m", True), ("1.009 km", True), ("1,011 metres", False), ("0.62 miles", True), ("989 m", False)],
)
def test_a_distance_is_right_up_to_one_per_cent(answer: str, right: bool) -> None:
    score = get_scorer("mapqa_distance").judge(answer, {"distance": 1000.0}, None)
    assert (score.outcome is Outcome.CORRECT) is right


def test_published_distances_are_wrong_over_the_ground_and_right_on_the_plane() -> None:
    """At 42 degrees north, Web Mercator makes 1,000 m 1,346 m."""
    judge = get_scorer("mapqa_distance").judge
    assert judge("1000 m", {"distance": 1346.0}, None).value == 0.0
    assert judge("1346 m", {"distance": 1346.0}, None).value == 1.0
