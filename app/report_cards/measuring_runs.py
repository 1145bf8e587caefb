"""Runs of a card as they are measured: their public questions, and what became of every answer. Read as the api role.

A question's key names its version, so that questions of several data sets stand side by side; places of one map are one
place in all of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.errors import NotFound, UsageError
from app.predictions.presentations import presentations
from app.report_cards import queries_measuring as queries
from app.report_cards.entries import CardRun
from app.report_cards.skills import asks_for_tools, skill_of
from app.scores.aggregating import Marked, Part, mean_value
from app.scores.profiles import TRIGPOINT
from app.scores.registry import get_scorer
from app.solvers.base import find_solver
from app.solvers.names import SOLVERS
from app.solvers.run_kinds import ANSWERS


@dataclass(frozen=True)
class Asked:
    """A public question; `part` bears its key, and names of template and place that hold in all versions."""

    part: Part
    id: str
    benchmark: str
    template: str
    title: str
    options: int

    @property
    def key(self) -> str:
        """Version and id."""
        return self.part.question_id

    @property
    def skill(self) -> str | None:
        """The key of its skill."""
        return skill_of(self.benchmark, self.template)


@dataclass(frozen=True, eq=False)
class MeasuredRun:
    """A run with the questions that it was asked, in their order; marks and owed predictions by the question's key."""

    entry: CardRun
    about: Row[Any]
    questions: Sequence[Asked]
    marks: Mapping[str, Sequence[Marked]]
    owed: Mapping[str, int]
    truncated: int
    """Answers that ended because the limit on tokens was reached."""

    @property
    def is_complete(self) -> bool:
        """Whether all was asked and nothing failed."""
        return bool(self.about.status == "complete")

    @property
    def has_tools(self) -> bool:
        """Whether its solver is given tools."""
        return self.entry.tool_set is not None

    @property
    def wants_tools(self) -> bool:
        """Whether all of its questions ask for what tools do."""
        return bool(self.questions) and all(asks_for_tools(one.skill) for one in self.questions)

    def skill_of(self, asked: Asked) -> str | None:
        """The skill that its answer shows; none where a question is about tools and it has none."""
        return None if asks_for_tools(asked.skill) and not self.has_tools else asked.skill

    @property
    def calls_model(self) -> bool:
        """Whether a model answers: a solver of ours that calls one, or answers that were computed elsewhere."""
        return calls_model(self.about.solver)

    def mean_of(self, key: str) -> float:
        """A question's value."""
        return mean_value(self.marks[key], self.owed[key])


def calls_model(solver: str) -> bool:
    """Whether a model answers where this solver asks; answers that were computed elsewhere are a model's."""
    return solver not in SOLVERS or find_solver(solver).calls_endpoint


def measure_runs(connection: Connection, runs: Sequence[CardRun]) -> list[MeasuredRun]:
    """The runs in this order. Raises NotFound for one that there is not, UsageError for the run of a judge."""
    wanted = [one.run for one in runs]
    found = {row.id: row for row in connection.execute(queries.RUNS, {"runs": wanted})}
    for run in wanted:
        if run not in found:
            raise NotFound(f"There is no run {run}; `trigpoint run list` shows all runs.")
        if found[run].kind != ANSWERS:
            raise UsageError(f"Run {run} is a judge's: a report card is made of runs that answer questions.")
    questions = _read_questions(connection, {row.version_id for row in found.values()})
    marks = _read_marks(connection, wanted)
    return [_measure(one, found[one.run], questions, marks.get(one.run, {})) for one in runs]


def key_of(version_id: int, question_id: str) -> str:
    """The key of a question among those of several versions."""
    return f"{version_id} {question_id}"


def _measure(
    entry: CardRun,
    about: Row[Any],
    questions: Mapping[int, Sequence[Asked]],
    answers: Mapping[str, Sequence[Row[Any]]],
) -> MeasuredRun:
    asked = questions.get(about.version_id, [])
    if about.sample is not None:
        sample = set(about.sample)
        asked = [one for one in asked if one.id in sample]
    of_asked = {one.key: answers.get(one.id, ()) for one in asked}
    # An answer that is not scored yet has no state, and is missing.
    marks = {
        key: [Marked(key, row.state, row.value) for row in rows if row.state is not None]
        for key, rows in of_asked.items()
    }
    owed = {one.key: about.repeats * len(presentations(about.presentation, one.options)) for one in asked}
    truncated = sum(row.truncated for rows in of_asked.values() for row in rows)
    return MeasuredRun(entry, about, asked, marks, owed, truncated)


def _read_questions(connection: Connection, versions: Iterable[int]) -> dict[int, list[Asked]]:
    found: dict[int, list[Asked]] = {}
    for row in connection.execute(queries.QUESTIONS, {"versions": sorted(versions)}):
        part = Part(
            key_of(row.version_id, row.id),
            f"{row.benchmark}/{row.template}",
            graded=get_scorer(row.scorer).graded,
            place=None if row.place is None else f"{row.city} {row.place}",
        )
        asked = Asked(part, row.id, row.benchmark, row.template, row.title or row.template, row.options)
        found.setdefault(row.version_id, []).append(asked)
    return found


def _read_marks(connection: Connection, runs: Sequence[int]) -> dict[int, dict[str, list[Row[Any]]]]:
    """What became of each answer, by run and question's id."""
    marks: dict[int, dict[str, list[Row[Any]]]] = {}
    for row in connection.execute(queries.MARKS, {"runs": list(runs), **TRIGPOINT.scorer_binds()}):
        marks.setdefault(row.run_id, {}).setdefault(row.question_id, []).append(row)
    return marks
