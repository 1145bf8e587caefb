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

from app.scores.intervals import choose_method
from app.scores.withholding import partition, shown_values, told_sum, whole

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
    hidden: bool = False


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
) -> list[Aggregate]:
    """The same over `scopes`, which are those of the questions `parts`."""
    by_question: dict[str, list[Marked]] = {part.question_id: [] for part in parts}
    for mark in marked:
        by_question[mark.question_id].append(mark)
    results = {part.question_id: _result(part, by_question, owed) for part in parts}
    found = {scope: _aggregate(scope, of_scope, results) for scope, of_scope in scopes.items()}
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


def _aggregate(scope: str, parts: Sequence[Part], results: Mapping[str, Result]) -> Aggregate:
    hidden = [part.hidden for part in parts]
    values = [results[part.question_id].value for part in parts]
    states = _states([part for part in parts if not part.hidden], results)
    if any(hidden):
        concealed = _states([part for part in parts if part.hidden], results)
        states = _added(states, _concealed(concealed, told_sum(values, hidden) / sum(hidden)))
    method = choose_method(any(part.graded for part in parts))
    if states["error"] or states["missing"]:
        return Aggregate(scope, len(parts), None, None, None, method.name, states)
    if not parts:
        return Aggregate(scope, 0, None, None, None, method.name, states)
    values = shown_values(values, hidden)
    low, high = method.interval(values)
    return Aggregate(scope, len(parts), math.fsum(values) / len(values), low, high, method.name, states)


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
