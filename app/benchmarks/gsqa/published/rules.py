"""Registers GS-QA's published rules as the profile `published` of its runs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.benchmarks.gsqa.published.answers import VERSION, by_rules, has_parsed_score, published_scorer
from app.benchmarks.gsqa.published.cases import read_cases, score_case
from app.benchmarks.gsqa.published.spatial import distance_error
from app.scores.paper_rules import PAPER_RULES, PROFILE, PaperRules


def score_cases(lines: Iterable[bytes], source: str) -> Iterator[Mapping[str, Any]]:
    """The scores of every case, in order."""
    return map(score_case, read_cases(lines, source))


PAPER_RULES.add(
    "gsqa",
    PROFILE,
    PaperRules(VERSION, by_rules, published_scorer, has_parsed_score, distance_error, score_cases),
)
