"""From answers' values to board aggregates. Pure; sums are math.fsum's, so the same answers give the same bits.

The unit is the question: its value is the mean over all its predictions, of whatever repeat and rotation, and n counts
questions. States count predictions. Hidden questions count in the whole alone, and there in steps (withholding.py).
"""

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from app.scores.intervals import METHOD, Shown, interval_of
from app.scores.strata import Strata, make_strata
from app.scores.withholding import partition, shown_values, step_of_mean, told_sum, whole

STATES = ("correct", "wrong", "unparseable", "no_answer", "error", "missing")
"""What can become of a prediction that a run owes; the first four count in the mean, the last two forbid one."""
ALL = "all"


class Marked(NamedTuple):
    """One prediction: its question, one of STATES but missing, and its value (0 where there is no score)."""

    question_id: str
    state: str
    value: float


class Part(NamedTuple):
    """A question of a version: its template, and whether its scorer gives values between 0 and 1.

    `place` is what it is about; a question without one is about a place of its own.
    """

    question_id: str
    template: str
    graded: bool
    hidden: bool = False
    place: str | None = None


class Result(NamedTuple):
    """What became of a question: its value, and the state of each prediction that is owed it."""

    value: float
    states: Sequence[str]


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
NO_STRATA: Mapping[str, Strata] = MappingProxyType({})


def scopes_of(parts: Sequence[Part], groups: Groups = NO_GROUPS) -> dict[str, list[Part]]:
    """The questions that count in each scope: in all of them, then each template, by name, then those of `groups`."""
    scopes = {ALL: whole(parts, _is_hidden).counted}
    templates = partition(parts, lambda part: part.template, _is_hidden)
    scopes |= {f"template:{name}": templates[name].counted for name in sorted(templates)}
    for scope, ids in groups.items():
        scopes[scope] = [part for part in parts if part.question_id in ids]
    return {scope: of_scope for scope, of_scope in scopes.items() if of_scope}


def _is_hidden(part: Part) -> bool:
    return part.hidden


def aggregate(
    parts: Sequence[Part], marked: Iterable[Marked], owed: Mapping[str, int], groups: Groups = NO_GROUPS
) -> list[Aggregate]:
    """One aggregate a scope; `owed` is the number of predictions that a run owes each question.

    An error or a gap at a hidden question that does not count is still told with the whole, and forbids its mean.
    """
    return aggregate_scopes(parts, scopes_of(parts, groups), marked, owed)


def aggregate_scopes(
    parts: Sequence[Part],
    scopes: Mapping[str, Sequence[Part]],
    marked: Iterable[Marked],
    owed: Mapping[str, int],
    strata: Mapping[str, Strata] = NO_STRATA,
) -> list[Aggregate]:
    """The same over `scopes`, which are those of the questions `parts`; `strata` of their public ones, where known."""
    by_question: dict[str, list[Marked]] = {part.question_id: [] for part in parts}
    for mark in marked:
        by_question[mark.question_id].append(mark)
    results = {part.question_id: _result(part, by_question, owed) for part in parts}
    found = {
        scope: _aggregate(scope, of_scope, results, strata.get(scope)) for scope, of_scope in scopes.items()
    }
    if ALL in found:
        found[ALL] = _with_gaps(found[ALL], _states(parts, results))
    return list(found.values())


def aggregate_scope(
    scope: str,
    parts: Sequence[Part],
    by_question: Mapping[str, Sequence[Marked]],
    owed: Mapping[str, int],
) -> Aggregate:
    """The aggregate of a scope that has these questions, at least one."""
    return _aggregate(scope, parts, {part.question_id: _result(part, by_question, owed) for part in parts})


def _aggregate(
    scope: str, parts: Sequence[Part], results: Mapping[str, Result], strata: Strata | None = None
) -> Aggregate:
    hidden = [part.hidden for part in parts]
    values = [results[part.question_id].value for part in parts]
    states = _states([part for part in parts if not part.hidden], results)
    if any(hidden):
        concealed = _states([part for part in parts if part.hidden], results)
        states = _added(states, _concealed(concealed, told_sum(values, hidden) / sum(hidden)))
    if states["error"] or states["missing"] or not parts:
        return Aggregate(scope, len(parts), None, None, None, METHOD, states)
    public = [value for value, is_hidden in zip(values, hidden) if not is_hidden]
    shown = math.fsum(shown_values(values, hidden)) / len(values)
    step = step_of_mean(sum(hidden), len(parts)) or 0.0
    strata = strata or strata_of_parts([part for part in parts if not part.hidden])
    low, high = interval_of(Shown(shown, len(parts), step), public, strata)
    return Aggregate(scope, len(parts), shown, low, high, METHOD, states)


def strata_of_parts(parts: Sequence[Part]) -> Strata:
    """How questions lie in templates and places."""
    numbers: dict[str, int] = {}
    templates = [numbers.setdefault(f"template {part.template}", len(numbers)) for part in parts]
    places = [
        numbers.setdefault(f"question {part.question_id}" if part.place is None else part.place, len(numbers))
        for part in parts
    ]
    return make_strata(np.array(templates, dtype=np.int64), np.array(places, dtype=np.int64))


def _with_gaps(whole: Aggregate, states: Mapping[str, int]) -> Aggregate:
    gaps = {state: states[state] for state in ("error", "missing")}
    known = whole._replace(states={**whole.states, **gaps})
    return known._replace(score=None, low=None, high=None) if any(gaps.values()) else known


def mean_value(marks: Sequence[Marked], owed: int) -> float:
    """A question's value: the mean over its predictions; those that are missing count 0."""
    if len(marks) == 1 and owed <= 1:
        return marks[0].value
    return math.fsum(mark.value for mark in marks) / max(owed, len(marks))


def _result(part: Part, by_question: Mapping[str, Sequence[Marked]], owed: Mapping[str, int]) -> Result:
    marks, count = by_question[part.question_id], owed[part.question_id]
    states = [mark.state for mark in marks] + ["missing"] * (count - len(marks))
    return Result(mean_value(marks, count), states)


def _states(parts: Sequence[Part], results: Mapping[str, Result]) -> dict[str, int]:
    counts = Counter(chain.from_iterable(results[part.question_id].states for part in parts))
    assert counts.keys() <= set(STATES), "a state that no board has"
    return {state: counts[state] for state in STATES}


def _concealed(states: Mapping[str, int], share: float) -> dict[str, int]:
    """States of hidden questions, of whose answers this share is told to be right.

    Which answers were given, and which failed, is known without gold. Whether one could be read is not always: a name
    is read where gold has it. So all that are not told to be right are told as wrong.
    """
    given = states["correct"] + states["wrong"] + states["unparseable"]
    correct = min(given, round(share * sum(states.values())))
    return {**states, "correct": correct, "wrong": given - correct, "unparseable": 0}


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {state: one[state] + other[state] for state in STATES}
