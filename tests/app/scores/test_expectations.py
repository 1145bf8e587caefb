"""Chance and the expectation of random, against hand computation and against brute force."""

from fractions import Fraction

import pytest

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.scores.aggregating import Part
from app.scores.expectations import Judged, expectations
from app.scores.registry import get_scorer
from app.scores.withholding import LEAST_HIDDEN


def judged(
    question_id: str, template: str, scorer: str, gold: dict[str, object], options: list[str] | None
) -> Judged:
    known = get_scorer(scorer)
    return Judged(Part(question_id, template, known.graded), known, gold, options)


FOUR = judged("a", "K", "option", {"index": 2}, ["w", "x", "y", "z"])
TWO = judged("b", "K", "option", {"index": 0}, ["y", "n"])
NAME = judged("c", "T5", "name", {"names": ["Adler"], "tolerated": []}, None)
ANGLE = judged("d", "T22", "angle", {"azimuth": 0.0}, None)


def test_chance_is_the_mean_over_questions_with_options() -> None:
    found = {(row.scope, row.kind): row for row in expectations([FOUR, TWO, NAME], {})}
    assert found["all", "chance"].value == 0.375
    assert found["all", "chance"].n == 2
    assert ("template:T5", "chance") not in found
    assert ("all", "random") not in found


def test_random_weighs_answers_by_how_often_they_stand_in_the_list() -> None:
    answers = {"c": ["Adler", "Krone", "Adler", "Linde", "Linde"]}
    found = {(row.scope, row.kind): row.value for row in expectations([NAME], answers)}
    assert found == {("all", "random"): 0.4, ("template:T5", "random"): 0.4}


def test_random_on_angles_is_the_exact_mean() -> None:
    found = expectations([ANGLE], {"d": [str(degrees) for degrees in range(360)]})
    exact = sum(max(Fraction(0), 1 - Fraction(min(d, 360 - d), 36)) for d in range(360)) / 360
    assert found[0].value == pytest.approx(float(exact), abs=1e-15)


def test_random_needs_answers_for_every_question_of_a_scope() -> None:
    scopes = {row.scope for row in expectations([NAME, ANGLE], {"c": ["Adler"]}) if row.kind == "random"}
    assert scopes == {"template:T5"}


def test_on_options_random_equals_chance() -> None:
    found = {
        row.kind: row.value for row in expectations([FOUR], {"a": ["A", "B", "C", "D"]}) if row.scope == "all"
    }
    assert found["random"] == found["chance"] == 0.25


def hidden(question: Judged) -> list[Judged]:
    """As many hidden questions alike as the whole must have to count them."""
    return [
        question._replace(part=question.part._replace(question_id=f"h{number}", hidden=True))
        for number in range(LEAST_HIDDEN)
    ]


def test_nothing_follows_from_hidden_gold() -> None:
    """A hidden question is worth what the public ones without options are, whatever its own gold."""
    answers = {"c": ["Adler", "Krone", "Linde", "Post"]}
    answers |= {f"h{number}": ["Adler", "Krone"] for number in range(LEAST_HIDDEN)}
    for name in ("Adler", "Lamm"):
        secret = hidden(NAME._replace(gold={"names": [name], "tolerated": []}))
        found = {row.scope: (row.value, row.n) for row in expectations([NAME, *secret], answers)}
        assert found == {"all": (0.25, 1 + LEAST_HIDDEN), "template:T5": (0.25, 1)}


def test_no_expectation_where_all_without_options_are_hidden() -> None:
    answers = {f"h{number}": ["Adler", "Krone"] for number in range(LEAST_HIDDEN)}
    answers["a"] = ["A", "B", "C", "D"]
    found = expectations([FOUR, *hidden(NAME)], answers)
    assert {row.scope for row in found if row.kind == "random"} == {"template:K"}
