"""Means of the components of a paper's scores over each scope of a run. Pure; sums are math.fsum's.

The unit is the answer. An answer without an attempt is the worst possible one: 0 for a share, the maximum for an error.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from app.scores.aggregating import Part


class Measured(NamedTuple):
    """A component of one answer: its value, at most 1, and whether the answer attempted it."""

    value: float
    is_attempted: bool


class MeasureMean(NamedTuple):
    """A component over the `n` answers that have it; `attempted_mean` is over those `attempted` alone."""

    mean: float
    attempted_mean: float | None
    attempted: int
    n: int


class MeasuredAnswer(NamedTuple):
    """An answer's components, and its question."""

    question_id: str
    components: Mapping[str, Measured]


def measure_scopes(
    scopes: Mapping[str, Sequence[Part]], answers: Iterable[MeasuredAnswer]
) -> dict[str, dict[str, Any]]:
    """The means of each component by scope, as aggregates store them: a MeasureMean by the component's name."""
    by_question: dict[str, list[Mapping[str, Measured]]] = defaultdict(list)
    for answer in answers:
        by_question[answer.question_id].append(answer.components)
    return {
        scope: _measure([one for part in parts for one in by_question[part.question_id]])
        for scope, parts in scopes.items()
    }


def _measure(answers: Sequence[Mapping[str, Measured]]) -> dict[str, Any]:
    found: dict[str, list[Measured]] = defaultdict(list)
    for components in answers:
        for name, one in components.items():
            found[name].append(one)
    return {name: mean_of(found[name])._asdict() for name in sorted(found)}


def mean_of(measured: Sequence[Measured]) -> MeasureMean:
    """The means over these, at least one."""
    attempted = [one.value for one in measured if one.is_attempted]
    return MeasureMean(
        math.fsum(one.value for one in measured) / len(measured),
        math.fsum(attempted) / len(attempted) if attempted else None,
        len(attempted),
        len(measured),
    )
