"""From answers' values to board aggregates. Pure; sums are math.fsum's, so the same answers give the same bits.

The unit is the question: its value is the mean over all its predictions, of whatever repeat and rotation, and n counts
questions. States count predictions.
"""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from app.scores.intervals import choose_method

STATES = ("correct", "wrong", "unparseable", "no_answer", "error", "missing")
"""What can become of a prediction that a run owes; the first four count in the mean, the last two forbid one."""
ALL = "all"


class Marked(NamedTuple):
    """One prediction: its question, one of STATES but missing, and its value (0 where there is no score)."""

    question_id: str
    state: str
    value: float


class Part(NamedTuple):
    """A question of a version: its template, and whether its scorer gives values between 0 and 1."""

    question_id: str
    template: str
    graded: bool


class Aggregate(NamedTuple):
    """A run's result over a scope; score, low and high are None where an error or a gap forbids a mean."""

    scope: str
    n: int
    score: float | None
    low: float | None
    high: float | None
    interval: str
    states: Mapping[str, int]


Groups = Mapping[str, Container[str]]
"""Further scopes, and the ids of the questions that count in each."""
NO_GROUPS: Groups = MappingProxyType({})


def scopes_of(parts: Sequence[Part], groups: Groups = NO_GROUPS) -> dict[str, list[Part]]:
    """The questions of each scope: all of them, then each template's, by name, then those of `groups`."""
    scopes: dict[str, list[Part]] = {ALL: list(parts)}
    for template in sorted({part.template for part in parts}):
        scopes[f"template:{template}"] = [part for part in parts if part.template == template]
    for scope, ids in groups.items():
        scopes[scope] = [part for part in parts if part.question_id in ids]
    return scopes


def aggregate(
    parts: Sequence[Part], marked: Iterable[Marked], owed: Mapping[str, int], groups: Groups = NO_GROUPS
) -> list[Aggregate]:
    """One aggregate a scope; `owed` is the number of predictions that a run owes each question."""
    by_question: dict[str, list[Marked]] = {part.question_id: [] for part in parts}
    for mark in marked:
        by_question[mark.question_id].append(mark)
    return [
        aggregate_scope(scope, of_scope, by_question, owed)
        for scope, of_scope in scopes_of(parts, groups).items()
        if of_scope
    ]


def aggregate_scope(
    scope: str,
    parts: Sequence[Part],
    by_question: Mapping[str, Sequence[Marked]],
    owed: Mapping[str, int],
) -> Aggregate:
    """The aggregate of a scope that has these questions, at least one."""
    states = dict.fromkeys(STATES, 0)
    values = []
    for part in parts:
        marks = by_question[part.question_id]
        for mark in marks:
            states[mark.state] += 1
        states["missing"] += max(0, owed[part.question_id] - len(marks))
        values.append(math.fsum(mark.value for mark in marks) / max(owed[part.question_id], len(marks)))
    method = choose_method(any(part.graded for part in parts))
    if states["error"] or states["missing"]:
        return Aggregate(scope, len(parts), None, None, None, method.name, states)
    low, high = method.interval(values)
    return Aggregate(scope, len(parts), math.fsum(values) / len(values), low, high, method.name, states)
