"""What a worker knows of a run while it works it: the run itself, and the questions of a batch as items.

Reads runs and questions; writes nothing.
"""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.exc import DBAPIError

from app.core.log import get_logger
from app.core.settings import Settings
from app.inference.chat import Endpoint
from app.inference.limits import Limits
from app.predictions import queries_ledger
from app.predictions.leases import Lease
from app.predictions.presentations import (
    IMAGE_DETAIL,
    Presentation,
    leaves_out_contexts,
    presentations,
)
from app.predictions.resources import WorkerResources
from app.predictions.reusing import Reusable, load_reusable
from app.predictions.toolbox import CallTerms, Toolbox, check_kinds, open_toolbox
from app.questions.prompts import without_contexts
from app.questions.rotations import turned
from app.solvers import NextStep, QuestionView, RunView, Solver, find_solver
from app.solvers.agents.terms import AgentTerms

logger = get_logger(__name__)


@dataclass(frozen=True)
class StoredStep:
    """A step as it was found when the batch was leased."""

    ordinal: int
    attempt: int
    state: str
    batch_id: int
    request_hash: str
    response: dict[str, Any] | None
    latency_ms: int | None = None


@dataclass(frozen=True)
class OpenSolver:
    """A solver that was opened for a run, and its next step."""

    solver: Solver
    next_step: NextStep


@dataclass
class RunContext:
    """A run as one worker works it. `refusal` says why no question of it can be worked at all.

    Once `halt` is set nothing more of it is asked by this worker: the run is paused or cancelled, or the worker ends.
    """

    run_id: int
    version_id: int
    repeats: int
    presentation: dict[str, Any]
    terms: CallTerms
    reuses: bool = False
    opened: OpenSolver | None = None
    toolbox: Toolbox = field(default_factory=lambda: Toolbox({}))
    refusal: str | None = None

    @property
    def halt(self) -> asyncio.Event:
        """Set when nothing more of the run is to be asked by this worker."""
        return self.terms.halt

    def fill_toolbox(self, resources: WorkerResources) -> None:
        """Open what makes the calls of the run's solver; nothing where the run is refused."""
        if self.opened is not None and self.refusal is None:
            self.toolbox = open_toolbox(self.opened.solver.calls, self.terms, resources)


@dataclass(frozen=True)
class Item:
    """One question, one presentation, one repeat, with what is stored of it."""

    run: RunContext
    lease: Lease
    question: QuestionView
    presentation: Presentation
    revision: str
    steps: list[StoredStep]
    reusable: Mapping[str, Reusable] = field(default_factory=dict)
    """What earlier runs were answered, by the hash of the request."""


def open_run(connection: Connection, run_id: int, settings: Settings) -> RunContext:
    """Everything that a worker needs of a run but its toolbox; a solver or key that is missing becomes the refusal."""
    row = connection.execute(queries_ledger.RUN_TO_WORK, {"run_id": run_id}).one()
    key = os.environ.get(row.key_variable) if row.key_variable else None
    run = RunContext(
        row.id, row.version_id, row.repeats, row.presentation, _terms(row, key, settings), row.reuse
    )
    if row.key_variable and not key:
        run.refusal = (
            f"the worker's environment lacks the endpoint's key: set {row.key_variable} and start it again"
        )
        return run
    try:
        run.opened = _open_solver(connection, row, settings)
    except DBAPIError:
        raise
    except Exception as error:
        # Whatever a solver's own code raises is a fault of ours, and concerns its run alone.
        logger.exception("solver did not start", run=run_id, solver=row.solver)
        run.refusal = f"the solver {row.solver} did not start: {error}"
    return run


def _terms(row: Row[Any], key: str | None, settings: Settings) -> CallTerms:
    """How the run's calls are made: as its endpoint's record and its own pace say, else as the settings do."""
    if row.url is None:
        return CallTerms(tries=settings.tries, backoff_seconds=settings.backoff_seconds)
    limits = Limits.of(row.limits)
    return CallTerms(
        Endpoint(row.url, row.model, key),
        limits,
        row.engine,
        limits.tries or settings.tries,
        settings.backoff_seconds,
    )


def _open_solver(connection: Connection, row: Row[Any], settings: Settings) -> OpenSolver:
    """The run's solver, opened. Raises what opening raises, and SettingsError where its calls cannot be made here."""
    view = RunView(
        row.version_id,
        row.benchmark,
        row.seed,
        row.model,
        row.sampling,
        row.presentation.get("prompt", "trigpoint"),
        row.presentation.get("embeddings"),
        row.id,
        row.solver_version,
        AgentTerms.of(row.presentation),
        row.prices,
        row.presentation.get(IMAGE_DETAIL),
    )
    solver = find_solver(row.solver)
    next_step = solver.open(connection, view)
    check_kinds(solver.calls, settings)
    return OpenSolver(solver, next_step)


def load_items(connection: Connection, run: RunContext, lease: Lease) -> list[Item]:
    """What is still to do of a batch, in the order of its questions, with the steps that are stored."""
    questions = connection.execute(
        queries_ledger.QUESTIONS_OF_BATCH, {"version_id": run.version_id, "question_ids": lease.question_ids}
    ).all()
    binds: dict[str, Any] = {
        "run_id": run.run_id,
        "revisions": [question.revision for question in questions],
    }
    finished = {
        (row.question_revision, row.presentation_key, row.repeat)
        for row in connection.execute(queries_ledger.PREDICTIONS_OF_QUESTIONS, binds)
    }
    steps: dict[tuple[str, str, int], list[StoredStep]] = {}
    for row in connection.execute(queries_ledger.STEPS_OF_QUESTIONS, binds):
        step = StoredStep(
            row.ordinal,
            row.attempt,
            row.state,
            row.batch_id,
            row.request_hash,
            row.response,
            row.latency_ms,
        )
        steps.setdefault((row.question_revision, row.presentation_key, row.repeat), []).append(step)
    reusable = load_reusable(connection, run.run_id, lease.question_ids) if run.reuses else {}
    return [
        Item(
            run,
            lease,
            _show(question, run.presentation, shown.rotation, repeat),
            shown,
            question.revision,
            steps.get((question.revision, shown.key, repeat), []),
            reusable.get(question.id, {}),
        )
        for question in questions
        for shown in presentations(run.presentation, question.options and len(question.options))
        for repeat in range(run.repeats)
        if (question.revision, shown.key, repeat) not in finished
    ]


def _show(question: Row[Any], of_run: Mapping[str, Any], rotation: int, repeat: int) -> QuestionView:
    """The question as its solver sees it: its options turned, without contexts where the run leaves them out."""
    options = question.options and turned(question.options, rotation)
    prompt = without_contexts(question.prompt) if leaves_out_contexts(of_run) else question.prompt
    return QuestionView(
        question.id,
        question.template,
        prompt,
        options,
        question.answer_type,
        repeat,
        rotation,
    )
