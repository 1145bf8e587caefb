"""What can be studied of a run: its answers to public questions that have a rubric, and the sample that people mark."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core import seeds
from app.core.errors import Conflict, NotFound, UsageError
from app.questions.prompts import prompt_as_text
from app.questions.rotations import turned
from app.reviews.judge_study import queries
from app.solvers.base import letter
from app.solvers.judging.rubrics import Rubric, find_rubric
from app.solvers.run_kinds import ANSWERS


class Key(NamedTuple):
    """Which answer of a run; `text` and `from_text` write and read it as one word."""

    question: str
    rotation: int
    repeat: int

    @property
    def text(self) -> str:
        """The key as one word."""
        return f"{self.question}:{self.rotation}:{self.repeat}"


@dataclass(frozen=True)
class Response:
    """An answer, and what a judge is told beside it."""

    key: Key
    rubric: Rubric
    question: str
    reference: str
    facts: Mapping[str, Any]
    answer: str
    template: str
    prompt: str
    """The text of the question alone, without options."""


@dataclass(frozen=True)
class StudiedRun:
    """A complete run of answers, and those of its answers that can be judged."""

    run: int
    label: str
    dataset: str
    benchmark: str
    responses: Sequence[Response]


def read_run(connection: Connection, run_id: int) -> StudiedRun:
    """The run. Raises NotFound, Conflict where it is not complete, UsageError for a judge's or one without a rubric."""
    run = connection.execute(queries.RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    if run.kind != ANSWERS:
        raise UsageError(f"Run {run_id} is a judge's: name the run whose answers it marked.")
    if run.status != "complete":
        raise Conflict(f"Run {run_id} is {run.status}: a study needs a complete run.")
    responses = [
        Response(
            Key(row.question_id, row.rotation, row.repeat),
            find_rubric(row.judge["rubric"]),
            _shown(row.prompt, row.options, row.rotation),
            row.judge.get("reference") or "",
            row.judge.get("facts") or {},
            row.answer,
            row.template,
            prompt_as_text(row.prompt),
        )
        for row in connection.execute(queries.RESPONSES, {"run_id": run_id})
    ]
    if not responses:
        raise UsageError(
            f"Run {run_id} has no answer to a public question with a rubric: there is nothing to mark."
        )
    return StudiedRun(run_id, run.label, run.dataset, run.benchmark, responses)


def _shown(prompt: Any, options: Sequence[str] | None, rotation: int) -> str:
    lettered = [f"{letter(place)}) {one}" for place, one in enumerate(turned(options or [], rotation))]
    return "\n".join([prompt_as_text(prompt), *lettered])


def draw_responses(responses: Sequence[Response], per_task: int, seed: int) -> list[Response]:
    """`per_task` responses of each task, or all where a task has fewer; the same for the same seed."""
    by_task: dict[str, list[Response]] = defaultdict(list)
    for one in responses:
        by_task[one.rubric.task].append(one)
    drawn: list[Response] = []
    for task in sorted(by_task):
        ordered = sorted(by_task[task], key=lambda one: (seeds.draw(seed, "judge study", *one.key), one.key))
        drawn += ordered[:per_task]
    return drawn
