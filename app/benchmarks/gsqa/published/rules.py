"""Registers GS-QA's published rules as the profile `published` of its runs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.benchmarks.gsqa.published.answers import (
    VERSION,
    by_rules,
    has_parsed_score,
    published_scorer,
    scorer_of_parsed,
)
from app.benchmarks.gsqa.published.cases import read_cases, score_case
from app.benchmarks.gsqa.published.spatial import distance_error
from app.scores.paper_rules import PAPER_RULES, PROFILE, Measure, PaperRules

RIGHT = (
    "an answer is right if its F1 is at least 0.5 (names, locations, facts) or its error at most 0.1 (directions and "
    "numbers); answers without an attempt are wrong"
)
"""GS-QA, Table 13."""
OUTPUT_TYPES = ("name", "location", "azimuth", "area", "count", "distance", "length")
"""GS-QA, Tables 7 and 8."""
MEASURES = (
    Measure("attempted", "share attempted", "higher", "all", "Table 7"),
    Measure("text_F1", "F1 of the text", "higher", "all", "Table 8"),
    Measure("text_R", "recall of the text", "higher", "attempted", "Table 9"),
    Measure("parsed_F1", "F1 of the parsed answer", "higher", "attempted", "Tables 9 to 11"),
    Measure("parsed_distance_error", "distance error", "lower", "attempted", "Table 10"),
    Measure("parsed_angle_error", "angle error", "lower", "attempted", "Table 11"),
    Measure("parsed_relative_error", "relative error", "lower", "attempted", "Table 12"),
)
"""Table 8 counts answers without an attempt as 0; Tables 9 to 12 leave them out."""


def score_cases(lines: Iterable[bytes], source: str) -> Iterator[Mapping[str, Any]]:
    """The scores of every case, in order."""
    return map(score_case, read_cases(lines, source))


PAPER_RULES.add(
    "gsqa",
    PROFILE,
    PaperRules(
        VERSION,
        by_rules,
        published_scorer,
        scorer_of_parsed,
        has_parsed_score,
        distance_error,
        score_cases,
        RIGHT,
        MEASURES,
        OUTPUT_TYPES,
    ),
)
