"""Registers the rules that fit the keys of MapQA's files as the profile `published` of its runs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.benchmarks.mapqa.published.cases import score_cases
from app.benchmarks.mapqa.published.comparing import JUDGES
from app.scores.expectations import Judged
from app.scores.paper_rules import PAPER_RULES, PROFILE, Measure, Objects, PaperRules, Point, Reader
from app.scores.registry import Scorer

VERSION = 1
RIGHT = (
    "an answer is right if the gold name stands in it, if its parts between semicolons are the gold set, or if its "
    "distance is at most 1 % off; MapQA's authors publish no checker, and these rules follow the form of their keys"
)
MEASURES = (
    Measure("attempted", "share attempted", "higher", "all", "none"),
    Measure("f1", "F1 of the set", "higher", "all", "none"),
    Measure("relative_error", "relative error", "lower", "attempted", "none"),
)


def no_objects(name: str, answer: str) -> Objects:
    """Answers have no parsed form."""
    return []


def published_scorer(name: str, read: Reader = no_objects) -> Scorer | None:
    """The rules for questions of our scorer of that name; None for every other kind of question."""
    return Scorer(name, VERSION, False, JUDGES[name]) if name in JUDGES else None


def _scorer_of_parsed(name: str, parsed: Mapping[str, Any]) -> Scorer | None:
    return published_scorer(name)


def _has_parsed_score(question: Judged) -> bool:
    return False


def _distance_error(predicted: Iterable[Point], right: Sequence[Point]) -> float | None:
    return None


PAPER_RULES.add(
    "mapqa",
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
        ("name", "names", "distance"),
    ),
)
