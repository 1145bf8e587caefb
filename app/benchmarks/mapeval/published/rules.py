"""Registers the rules of MapEval's programs as the profile `published` of its runs: invalid replies are wrong."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.benchmarks.mapeval.published.cases import score_cases
from app.benchmarks.mapeval.published.replies import READERS, VISUAL, task_of
from app.scores.expectations import Judged
from app.scores.paper_rules import PAPER_RULES, PROFILE, Measure, Objects, PaperRules, Point, Reader
from app.scores.registry import Scorer
from app.scores.score import Component, Outcome, Score, unparseable

VERSION = 1
RIGHT = (
    "a reply is right if the authors' patterns find the number of the right option in it (0 where the question cannot "
    "be answered); replies in which they find none are wrong"
)
MEASURES = (Measure("attempted", "share of valid replies", "higher", "all", "Tables 3 to 5"),)


def no_objects(name: str, answer: str) -> Objects:
    """Replies have no parsed form beside the number of an option."""
    return []


def published_scorer(name: str, read: Reader = no_objects) -> Scorer | None:
    """The rules for multiple choice; None for every other kind of question."""
    return Scorer("option", VERSION, False, _judge) if name == "option" else None


def _judge(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Gold: {"index"}, -1 where the question cannot be answered; `reply` is the task, `also` places of equal keys.

    An option that says so in words is the authors' option 0, and is not numbered.
    """
    task = VISUAL if gold.get("reply") == VISUAL else task_of(answer)
    read = READERS[task](answer, options or ())
    if read.value is None:
        return unparseable(read.reason or "", choice=1.0)
    right = read.value in (gold.get("index", -1), *gold.get("also", ()))
    value = 1.0 if right else 0.0
    outcome = Outcome.CORRECT if right else Outcome.WRONG
    return Score(outcome, value, {"choice": Component(value, 1.0, True)}, {"index": read.value})


def _scorer_of_parsed(name: str, parsed: Mapping[str, Any]) -> Scorer | None:
    return published_scorer(name)


def _has_parsed_score(question: Judged) -> bool:
    return False


def _distance_error(predicted: Iterable[Point], right: Sequence[Point]) -> float | None:
    return None


PAPER_RULES.add(
    "mapeval",
    PROFILE,
    PaperRules(
        VERSION,
        no_objects,
        published_scorer,
        _scorer_of_parsed,
        _has_parsed_score,
        _distance_error,
        score_cases,
        RIGHT,
        MEASURES,
        ("option",),
        counts_unanswerable=True,
        numbers_options=True,
    ),
)
