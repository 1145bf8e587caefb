"""Runs over a data set version: planned or found again, given to workers, read when they are finished."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.states import Result, read_result
from app.operations.embed import TellEmbedded, embed_version
from app.operations.endpoints import (
    EndpointChoice,
    check_and_store,
    find_embedder,
    find_healthy,
    find_known,
)
from app.operations.sight import check_sight, refuse_blind
from app.predictions.accounts import Budget
from app.predictions.costs import Cost, cost_of
from app.predictions.messages import Messenger
from app.predictions.planning import PROMPTS, Draft, RunOptions, draft_run
from app.predictions.progress import Progress, error_reasons, progress_of
from app.predictions.runs import Planned, Terms, find_complete, plan_run
from app.predictions.sampling import ChosenQuestions
from app.questions.prompts import ImageDetail
from app.questions.versions import find_version
from app.solvers.agents.terms import AgentTerms

FINISHED = ("complete", "incomplete")
"""The states of a run that has no answer to wait for."""


@dataclass(frozen=True)
class RunRequest:
    """What is asked of a run: the data set, who answers, how, and what it may take."""

    dataset: str
    solver: str
    endpoint: EndpointChoice = field(default_factory=EndpointChoice)
    embedder: EndpointChoice = field(default_factory=EndpointChoice)
    repeats: int = 1
    seed: int = 0
    temperature: float | None = None
    max_tokens: int | None = None
    prompt: str = PROMPTS[0]
    rotate: bool = False
    guided: bool = False
    sample: int | None = None
    body: Mapping[str, Any] | None = None
    """Fields that chat calls set, and leave out where they are null, beside those of the endpoint's record."""
    budget: Budget = field(default_factory=Budget)
    reuse: bool = False
    pace: Mapping[str, int] = field(default_factory=dict)
    """How its calls are paced, by the names of `Limits`; what is not named stays as the endpoint's record says."""
    agent: AgentTerms | None = None
    """What a solver that calls tools is given; None for its defaults."""
    image_detail: ImageDetail | None = None
    """How closely the model is to look at pictures; None leaves it to the endpoint."""
    with_context: bool | None = None
    """Whether questions are shown with their contexts; None shows them to solvers that call no tools."""
    only: ChosenQuestions | None = None
    """The questions that are asked; None for all, or for a sample."""

    def options(self) -> RunOptions:
        """The same as the planner of runs takes it, without data set and endpoints."""
        return RunOptions(
            self.solver,
            self.repeats,
            self.seed,
            self.temperature,
            self.max_tokens,
            self.prompt,
            self.rotate,
            self.guided,
            self.sample,
            Terms(self.budget, self.reuse, self.pace),
            self.body,
            self.agent,
            self.image_detail,
            self.with_context,
            self.only,
        )


@dataclass(frozen=True)
class StartedRun:
    """The run that answers to a request, and where it stands."""

    was: Literal["new", "open", "paused", "interrupted", "finished", "errors"]
    solver: str
    version: str
    progress: Progress
    has_old_scores: bool
    """Whether it is finished and its scores are of an older version of the rules."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it by waiting: it is paused, or complete with its scores."""
        return self.progress.status == "paused" or (
            self.progress.status == "complete" and self.progress.scored
        )


@dataclass(frozen=True)
class RunOutcome:
    """What is read of a run that was waited for: its result, its commonest reasons of errors, its cost."""

    result: Result | None
    reasons: Sequence[tuple[str, int]]
    cost: Cost


def start_evaluation(
    settings: Settings, request: RunRequest, messenger: Messenger, tell: TellEmbedded
) -> StartedRun:
    """The run of this request, made or gone on with. Its endpoint is looked at first, and texts are embedded.

    A run that is complete already asks nothing. Raises NotFound, UsageError, Conflict; EndpointUnavailable or
    EndpointRefused for the endpoint; ServiceUnavailable where Redis is away.
    """
    with connect(settings, Role.WORKER) as connection:
        draft = draft_run(connection, find_version(connection, request.dataset), request.options())
        planned = _plan(connection, settings, request, draft, messenger, tell)
        found = progress_of(connection, planned.id)
        old = found.status in FINISHED and _has_old_scores(connection, planned.id)
    return StartedRun(planned.was, draft.solver.name, draft.version.reference, found, old)


def start_run(connection: Connection, request: RunRequest, batch_size: int, now: datetime) -> Planned:
    """The run of this request, made or gone on with; nobody is called. The caller commits, and wakes workers.

    Raises NotFound, UsageError, and Conflict for an endpoint whose last check was not good.
    """
    draft = draft_run(connection, find_version(connection, request.dataset), request.options())
    plan, name = draft.plan, request.endpoint.given
    if draft.solver.calls_endpoint:
        if name is None:
            raise UsageError(f"The solver `{request.solver}` needs an endpoint: name one.")
        endpoint = find_healthy(connection, name)
        refuse_blind(connection, draft.version, endpoint)
        plan = draft.asking(connection, endpoint)
    elif name is not None:
        raise UsageError(f"The solver `{request.solver}` does not use an endpoint; remove --endpoint.")
    return plan_run(connection, plan, now, batch_size, draft.wanted.terms)


def read_outcome(settings: Settings, run_id: int) -> RunOutcome:
    """What there is to tell of a run that was waited for."""
    with connect(settings, Role.WORKER) as connection:
        return RunOutcome(
            read_result(connection, run_id),
            error_reasons(connection, run_id, limit=3),
            cost_of(connection, run_id),
        )


def _plan(
    connection: Connection,
    settings: Settings,
    request: RunRequest,
    draft: Draft,
    messenger: Messenger,
    tell: TellEmbedded,
) -> Planned:
    """The run to wait for, made and committed if need be."""
    embedder = find_embedder(connection, settings, request.embedder, draft.solver.name)
    plan = draft.plan
    _check_endpoint_is_named(request, draft)
    if draft.solver.calls_endpoint:
        known = find_known(connection, request.endpoint)
        plan = draft.asking(connection, known, embedder)
        finished = None if known is None else find_complete(connection, plan)
        if finished is not None:
            return Planned(finished, "finished")
        stored = check_and_store(connection, settings, request.endpoint, known)
        check_sight(connection, settings, draft.version, stored)
        plan = draft.asking(connection, stored, embedder)
    messenger.check()
    if embedder is not None:
        embed_version(settings, draft.version.id, embedder, tell)
    planned = plan_run(connection, plan, SystemClock().now(), settings.batch_size, draft.wanted.terms)
    connection.commit()
    return planned


def _check_endpoint_is_named(request: RunRequest, draft: Draft) -> None:
    """Raise UsageError for a solver that needs an endpoint and has none, or has one and needs none."""
    named = request.endpoint
    if draft.solver.calls_endpoint and named.given is None:
        raise UsageError(
            f"The solver `{request.solver}` needs an endpoint: give --endpoint URL (and --model)."
        )
    if not draft.solver.calls_endpoint and (named.given or named.model):
        raise UsageError(
            f"The solver `{draft.solver.name}` does not use an endpoint; remove --endpoint and --model."
        )


def _has_old_scores(connection: Connection, run_id: int) -> bool:
    # What scores loads what a run that is only waited for needs not.
    from app.scores.scoring import runs_of_old_profile

    return run_id in runs_of_old_profile(connection)
