"""Having a model judge a finished run's answers: the judge's run planned or found again, and what its verdicts say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.bodies import BODY
from app.operations.endpoints import EndpointChoice, find_or_store
from app.predictions.messages import Messenger
from app.predictions.progress import Progress, error_reasons, progress_of
from app.predictions.runs import RunPlan, find_complete, plan_run
from app.scores.scoring import runs_of_old_profile
from app.scores.verdicts import JudgedRun, judged_run
from app.solvers import find_solver
from app.solvers.judge import find_judged, judging
from app.solvers.names import JUDGE
from app.solvers.run_kinds import JUDGEMENT


@dataclass(frozen=True)
class JudgeRequest:
    """Which run is judged, by whom, and how the judge is asked."""

    run: int
    endpoint: EndpointChoice
    temperature: float
    seed: int
    schema: bool
    """Whether the JSON schema of a verdict is sent to the endpoint."""


@dataclass(frozen=True)
class StartedJudge:
    """The judge's run, and where it stands."""

    judge: str
    """The judge's model."""
    progress: Progress
    has_old_scores: bool
    """Whether its verdicts were scored by older rules."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it by waiting."""
        return self.progress.status == "complete" and self.progress.scored


@dataclass(frozen=True)
class JudgeOutcome:
    """What is read of a judge's run that was waited for: its verdicts, and its commonest reasons of errors."""

    judged: JudgedRun
    reasons: Sequence[tuple[str, int]]


def start_judge(settings: Settings, request: JudgeRequest, messenger: Messenger) -> StartedJudge:
    """The judge's run of this request, made or gone on with.

    Raises NotFound; Conflict for a run that is not complete; UsageError for questions without a rubric;
    EndpointUnavailable or EndpointRefused for the endpoint; ServiceUnavailable where Redis is away.
    """
    with connect(settings, Role.WORKER) as connection:
        plan = _plan(connection, request)
        stored = find_or_store(connection, settings, request.endpoint)
        sampling = plan.sampling | ({BODY: dict(stored.body)} if stored.body else {})
        label = f"{plan.label}, judged by {stored.model}"
        plan = replace(plan, endpoint_id=stored.id, label=label, sampling=sampling)
        judge_id = find_complete(connection, plan)
        if judge_id is None:
            messenger.check()
            judge_id = plan_run(connection, plan, SystemClock().now(), settings.batch_size).id
        connection.commit()
        found = progress_of(connection, judge_id)
        return StartedJudge(stored.model, found, judge_id in runs_of_old_profile(connection))


def read_verdicts(settings: Settings, judge_id: int, run_id: int) -> JudgeOutcome:
    """What the verdicts of the judge's run `judge_id` on run `run_id` came to."""
    with connect(settings, Role.WORKER) as connection:
        return JudgeOutcome(
            judged_run(connection, judge_id, run_id), error_reasons(connection, judge_id, limit=3)
        )


def _plan(connection: Connection, request: JudgeRequest) -> RunPlan:
    """The judge's run but for its endpoint; its label is that of the judged run."""
    judged = find_judged(connection, request.run)
    told: dict[str, Any] = judging(request.run, schema=request.schema)
    if judged.presentation.get("rotate"):
        told |= {"rotate": True}
    return RunPlan(
        judged.version_id,
        JUDGE,
        find_solver(JUDGE).version,
        judged.label,
        request.seed,
        sampling={"temperature": request.temperature},
        repeats=judged.repeats,
        presentation=told,
        sample=judged.sample,
        kind=JUDGEMENT,
    )
