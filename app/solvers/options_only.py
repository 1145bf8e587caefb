"""`options_only`: guesses from the options alone; shows what their making gives away.

For each template the best of nine attacks is chosen on half of the questions, by hash, and used on the other half,
both ways round. It guesses an option and not a letter: the same option in every rotation.
Invariant: a question's own gold never has a part in its answer.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.core.seeds import below
from app.questions.rotations import place_shown
from app.solvers.base import Answer, NextStep, QuestionView, RunView, letter, solver
from app.solvers.calls import CallResult
from app.solvers.guessing import ATTACKS, Attack, learn_prior
from app.solvers.queries import COUNT_WITHOUT_OPTIONS, OPTIONS_WITH_KEYS


class Keyed(NamedTuple):
    """A question's options, and the index of the right one."""

    id: str
    template: str
    options: list[str]
    key: int


def guess_all(questions: Sequence[Keyed], seed: int) -> dict[str, tuple[int, str]]:
    """By question id: the guessed index and the attack that guessed it. Pure."""
    by_template: dict[str, list[Keyed]] = defaultdict(list)
    for question in questions:
        by_template[question.template].append(question)
    guesses: dict[str, tuple[int, str]] = {}
    for group in by_template.values():
        quarters: list[list[Keyed]] = [[], [], [], []]
        for question in group:
            quarters[below(4, seed, "options_only", "quarter", question.id)].append(question)
        for one, other in (((0, 1), (2, 3)), ((2, 3), (0, 1))):
            name, attack = _best(quarters[one[0]], quarters[one[1]], seed)
            for question in quarters[other[0]] + quarters[other[1]]:
                guesses[question.id] = (_guess(attack, question, seed), name)
    return guesses


def _best(first: list[Keyed], second: list[Keyed], seed: int) -> tuple[str, Attack]:
    """The attack that does best on both quarters; the class prior learns from one to be tried on the other."""
    half = first + second
    hits = {
        name: sum(_guess(attack, question, seed) == question.key for question in half)
        for name, attack in ATTACKS.items()
    }
    hits["class_prior"] = sum(
        _guess(prior, question, seed) == question.key
        for learnt, tried in ((first, second), (second, first))
        for prior in (_prior(learnt),)
        for question in tried
    )
    best = max(hits, key=lambda name: hits[name])
    return best, (_prior(half) if best == "class_prior" else ATTACKS[best])


def _prior(questions: list[Keyed]) -> Attack:
    return learn_prior([(question.options, question.key) for question in questions])


def _guess(attack: Attack, question: Keyed, seed: int) -> int:
    """The attack's guess; where it does not apply, an option by hash."""
    index = attack(question.options)
    return below(len(question.options), seed, "options_only", question.id) if index is None else index


def refuse_without_options(connection: Connection, version_id: int) -> None:
    """Raises UsageError where a question of the version has no options."""
    row = connection.execute(COUNT_WITHOUT_OPTIONS, {"version_id": version_id}).one()
    if row.without:
        raise UsageError(
            f"options_only guesses among options, and {row.without} of the {row.total} questions have none: "
            "take a data set of the Knowledge Module, or another solver."
        )


@solver("options_only", version=1, reads=("gold",), check=refuse_without_options)
def open_options_only(connection: Connection, run: RunView) -> NextStep:
    """Loads options and keys of the whole version and chooses the attacks."""
    rows = connection.execute(OPTIONS_WITH_KEYS, {"version_id": run.version_id})
    questions = [Keyed(row.id, row.template, row.options, row.key) for row in rows]
    guesses = guess_all(questions, run.seed)
    counts = {question.id: len(question.options) for question in questions}

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Answer:
        index, attack = guesses[question.id]
        shown = place_shown(index, question.rotation, counts[question.id])
        return Answer("answered", letter(shown), {"attack": attack})

    return next_step
