"""Accuracy by position: whether a run's answers hang on where the right option is shown. Reads gold as the worker does.

The unit is the question, as on boards: at a position its value is the mean over the repeats that showed its key there.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Row

from app.core.errors import NotFound
from app.leaderboard import queries
from app.predictions.presentations import is_rotated, presentations
from app.questions.rotations import place_shown
from app.scores.aggregating import Marked, Part, aggregate_scope
from app.scores.profiles import default_profile
from app.solvers.base import letter

UNSCORED = "missing"


@dataclass(frozen=True)
class Position:
    """The answers to questions whose key is shown at one place. Rates are shares of 1.

    `n` counts questions, `answers` what the run owes of them, `correct` the right ones; `said` counts how many of
    all the answers that could be read name this letter, wherever the key is. `rate`, `low` and `high` (Wilson, 95 %)
    are null where an error or a gap forbids them.
    """

    position: str
    n: int
    answers: int
    correct: int
    said: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Consistency:
    """Of the questions that were answered in all rotations: how many are right in all of them, and in any."""

    questions: int
    right_in_all: int
    right_in_any: int
    all_rate: float | None
    any_rate: float | None


@dataclass(frozen=True)
class Positions:
    """A run's answers to questions with options, by position of the key; `consistency` is null unless it rotates."""

    run: int
    rotated: bool
    positions: list[Position]
    consistency: Consistency | None

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return asdict(self)


@dataclass(frozen=True)
class _Choice:
    """A question with options, and what became of its predictions: (rotation, mark, place chosen)."""

    part: Part
    key: int
    options: int
    marks: list[tuple[int, Marked, int | None]]


def accuracy_by_position(connection: Connection, run_id: int) -> Positions:
    """The run's answers to public questions by the position at which the key was shown; needs a role that sees gold.

    Hidden questions are left out: where few keys are at a letter, the counts would tell them. A run without questions
    with options has no positions. Raises NotFound for a run that there is not.
    """
    run = connection.execute(queries.RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    binds = {
        "run_id": run_id,
        "profile": default_profile().name,
        "scorer_version": default_profile().scorers["option"],
    }
    choices = _choices(connection.execute(queries.SCORED_CHOICES, binds).all())
    rotated = is_rotated(run.presentation)
    return Positions(
        run_id, rotated, _positions(choices, run), _consistency(choices, run) if rotated else None
    )


def _choices(rows: Sequence[Row[Any]]) -> list[_Choice]:
    found: dict[str, _Choice] = {}
    for row in rows:
        choice = found.setdefault(
            row.question_id, _Choice(Part(row.question_id, "", False), row.key, row.options, [])
        )
        if row.state is not None:
            state = row.outcome or (UNSCORED if row.state == "answered" else row.state)
            choice.marks.append((row.rotation, Marked(row.question_id, state, row.value or 0.0), row.chosen))
    return list(found.values())


def _positions(choices: Sequence[_Choice], run: Row[Any]) -> list[Position]:
    """One a place at which a key can be shown; each question is at as many as it has presentations."""
    parts: dict[int, list[Part]] = defaultdict(list)
    marks: dict[int, dict[str, list[Marked]]] = defaultdict(dict)
    said: dict[int, int] = defaultdict(int)
    for choice in choices:
        for shown in presentations(run.presentation, choice.options):
            place = place_shown(choice.key, shown.rotation, choice.options)
            parts[place].append(choice.part)
            marks[place][choice.part.question_id] = [
                mark
                for rotation, mark, _ in choice.marks
                if rotation == shown.rotation and mark.state != UNSCORED
            ]
        for rotation, _, chosen in choice.marks:
            if chosen is not None:
                said[place_shown(chosen, rotation, choice.options)] += 1
    places = range(max((choice.options for choice in choices), default=0))
    return [_position(place, parts[place], marks[place], said[place], run.repeats) for place in places]


def _position(
    place: int, parts: Sequence[Part], marks: Mapping[str, Sequence[Marked]], said: int, repeats: int
) -> Position:
    name = letter(place)
    if not parts:
        return Position(name, 0, 0, 0, said, None, None, None)
    owed = dict.fromkeys(marks, repeats)
    found = aggregate_scope(name, parts, marks, owed)
    return Position(
        name,
        found.n,
        sum(owed.values()),
        found.states["correct"],
        said,
        found.score,
        found.low,
        found.high,
    )


def _consistency(choices: Sequence[_Choice], run: Row[Any]) -> Consistency:
    whole = [
        [mark.state == "correct" for _, mark, _ in choice.marks]
        for choice in choices
        if len(choice.marks) == run.repeats * len(presentations(run.presentation, choice.options))
        and not {mark.state for _, mark, _ in choice.marks} & {"error", UNSCORED}
    ]
    n = len(whole)
    right_in_all, right_in_any = sum(map(all, whole)), sum(map(any, whole))
    return Consistency(
        n, right_in_all, right_in_any, right_in_all / n if n else None, right_in_any / n if n else None
    )
