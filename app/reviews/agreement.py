"""How far two reviewers agree: the share of equal marks, and Cohen's kappa. Pure."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

SOURCE = "Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960)"


class Agreement(NamedTuple):
    """Over the questions that both marked; `share` of 1; kappa is None where chance alone would agree always."""

    questions: int
    share: float
    kappa: float | None


def agree(pairs: Mapping[tuple[str, str], int]) -> Agreement:
    """From counts by (first reviewer's mark, second reviewer's mark).

    Kappa is (observed - expected) / (1 - expected), expected from each reviewer's own marks (Cohen 1960).
    Raises ValueError where the two have no question in common.
    """
    n = sum(pairs.values())
    if n == 0:
        raise ValueError("the reviewers have no question in common")
    marks = {mark for pair in pairs for mark in pair}
    first = {mark: sum(count for (one, _), count in pairs.items() if one == mark) for mark in marks}
    second = {mark: sum(count for (_, other), count in pairs.items() if other == mark) for mark in marks}
    observed = Fraction(sum(count for (one, other), count in pairs.items() if one == other), n)
    expected = Fraction(sum(first[mark] * second[mark] for mark in marks), n * n)
    kappa = None if expected == 1 else float((observed - expected) / (1 - expected))
    return Agreement(n, float(observed), kappa)
