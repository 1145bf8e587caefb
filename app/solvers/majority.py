"""`majority`: says the commonest answer to the other public questions of a template; shows how even answers are.

Of lengths, distances and areas, which hardly ever are the same, it says the middle one.
Invariant: neither a question's own gold nor any hidden gold has a part in an answer.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import CallResult
from app.solvers.oracle import say_gold
from app.solvers.queries import PUBLIC_GOLD

MEASURED = ("distance", "area", "length")
"""The answer types of which the middle one is said; gold names the number as the type."""


class Said(NamedTuple):
    """The gold of a public question, in words and, where it is measured, as a number."""

    id: str
    template: str
    words: str
    number: float | None


def commonest_of_others(said: Sequence[Said]) -> Mapping[str, str]:
    """By question: the answer that most of the others have, the first by the alphabet of those that as many have."""
    ranked = Counter(one.words for one in said).most_common()
    ranked.sort(key=lambda one: (-one[1], one[0]))
    found: dict[str, str] = {}
    for one in said:
        others = [(words, times - (words == one.words)) for words, times in _leading(ranked, one.words)]
        words, times = min(others, key=lambda other: (-other[1], other[0]))
        if times:
            found[one.id] = words
    return found


def _leading(ranked: Sequence[tuple[str, int]], own: str) -> list[tuple[str, int]]:
    """The answers of which one is the commonest when an answer like `own` is left out."""
    first = next(place for place, (words, _) in enumerate(ranked) if words == own)
    others = [one for one in ranked[:2] if one[0] != own]
    return [*others, ranked[first]]


def middle_of_others(said: Sequence[Said]) -> Mapping[str, str]:
    """By question: the middle number of the others, in the words in which it is gold."""
    ordered = sorted((one.number or 0.0, one.words, one.id) for one in said)
    found: dict[str, str] = {}
    middle = (len(ordered) - 2) // 2
    for place, (*_, own) in enumerate(ordered):
        if len(ordered) > 1:
            found[own] = ordered[middle if middle < place else middle + 1][1]
    return found


def _say(rows: Sequence[Said]) -> Mapping[str, str]:
    return middle_of_others(rows) if rows[0].number is not None else commonest_of_others(rows)


def answer_of_template(said: Sequence[Said]) -> str:
    """What is said to a hidden question: the commonest answer to all public ones, or the middle one."""
    if said[0].number is None:
        return min(Counter(one.words for one in said).items(), key=lambda one: (-one[1], one[0]))[0]
    ordered = sorted((one.number or 0.0, one.words) for one in said)
    return ordered[(len(ordered) - 1) // 2][1]


@solver("majority", version=1, reads=("gold",), takes_imported=True)
def open_majority(connection: Connection, run: RunView) -> NextStep:
    """Loads the gold of the version's public questions. A question has no answer where its template has no other."""
    by_template: dict[str, list[Said]] = defaultdict(list)
    for row in connection.execute(PUBLIC_GOLD, {"version_id": run.version_id}):
        number = row.value.get(row.answer_type) if row.answer_type in MEASURED else None
        words = say_gold(row.answer_type, row.value, row.kind)
        by_template[row.template].append(Said(row.id, row.template, words, number))
    public = {one.id for said in by_template.values() for one in said}
    answers = {name: text for said in by_template.values() for name, text in _say(said).items()}
    of_template = {template: answer_of_template(said) for template, said in by_template.items()}

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Answer:
        known = answers.get(question.id) if question.id in public else of_template.get(question.template)
        return Answer("no_answer", None) if known is None else Answer("answered", known)

    return next_step
