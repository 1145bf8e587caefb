"""`options_only`: guesses from the options and the words of the question, without a map; shows what their making tells.

For each template the best of ten attacks is chosen on half of the questions, by hash, and used on the other half, both
ways round. Nine attacks look at the options alone; `shares_word` reads the question, but only to compare its words
with those of the options. It guesses an option and not a letter: the same option in every rotation.
Invariant: a question's own gold never has a part in its answer.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.core.seeds import below
from app.questions.prompts import StoredPrompt, TextPart, read_parts
from app.questions.rotations import place_shown
from app.solvers.base import Answer, NextStep, QuestionView, RunView, letter, solver
from app.solvers.calls import CallResult
from app.solvers.guessing import ATTACKS, Attack, learn_prior, learn_words
from app.solvers.queries import COUNT_WITHOUT_OPTIONS, OPTIONS_WITH_KEYS


class Keyed(NamedTuple):
    """A question's text and options, and the index of the right one."""

    id: str
    template: str
    text: str
    options: list[str]
    key: int


Guess = Callable[[Keyed], int | None]


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
        attacks = _single(group)
        for one, other in (((0, 1), (2, 3)), ((2, 3), (0, 1))):
            name, attack = _best(attacks, quarters[one[0]], quarters[one[1]], seed)
            for question in quarters[other[0]] + quarters[other[1]]:
                guesses[question.id] = (_guess(attack, question, seed), name)
    return guesses


def _single(group: Sequence[Keyed]) -> dict[str, Guess]:
    """The nine attacks that learn nothing from keys, by name."""
    found: dict[str, Guess] = {name: _by_options(attack) for name, attack in ATTACKS.items()}
    shares_word = learn_words([question.text for question in group])
    return {**found, "shares_word": lambda question: shares_word(question.options, question.text)}


def _by_options(attack: Attack) -> Guess:
    return lambda question: attack(question.options)


def _best(
    attacks: Mapping[str, Guess], first: list[Keyed], second: list[Keyed], seed: int
) -> tuple[str, Guess]:
    """The attack that does best on both quarters; the class prior learns from one to be tried on the other."""
    half = first + second
    hits = {
        name: sum(_guess(attack, question, seed) == question.key for question in half)
        for name, attack in attacks.items()
    }
    hits["class_prior"] = sum(
        _guess(prior, question, seed) == question.key
        for learnt, tried in ((first, second), (second, first))
        for prior in (_prior(learnt),)
        for question in tried
    )
    best = max(hits, key=lambda name: hits[name])
    return best, (_prior(half) if best == "class_prior" else attacks[best])


def _prior(questions: list[Keyed]) -> Guess:
    return _by_options(learn_prior([(question.options, question.key) for question in questions]))


def _guess(attack: Guess, question: Keyed, seed: int) -> int:
    """The attack's guess; where it does not apply, an option by hash."""
    index = attack(question)
    return below(len(question.options), seed, "options_only", question.id) if index is None else index


def refuse_without_options(connection: Connection, version_id: int) -> None:
    """Raises UsageError where a question of the version has no options."""
    row = connection.execute(COUNT_WITHOUT_OPTIONS, {"version_id": version_id}).one()
    if row.without:
        raise UsageError(
            f"options_only guesses among options, and {row.without} of the {row.total} questions have none: "
            "take a data set whose questions all have options, or another solver."
        )


@solver("options_only", version=2, reads=("gold",), check=refuse_without_options)
def open_options_only(connection: Connection, run: RunView) -> NextStep:
    """Loads options and keys of the whole version and chooses the attacks."""
    rows = connection.execute(OPTIONS_WITH_KEYS, {"version_id": run.version_id})
    questions = [Keyed(row.id, row.template, _words(row.prompt), row.options, row.key) for row in rows]
    guesses = guess_all(questions, run.seed)
    counts = {question.id: len(question.options) for question in questions}

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Answer:
        index, attack = guesses[question.id]
        shown = place_shown(index, question.rotation, counts[question.id])
        return Answer("answered", letter(shown), {"attack": attack})

    return next_step


def _words(prompt: StoredPrompt) -> str:
    """The question as it is put, without documents and pictures."""
    return " ".join(part.text for part in read_parts(prompt) if isinstance(part, TextPart))
