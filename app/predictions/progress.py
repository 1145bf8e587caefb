"""Where runs stand: what is done, waits, is tried again; what it took, and how long the rest will take."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.inference.outcomes import NO_ANSWER
from app.inference.tokens import Tokens
from app.predictions import queries_runs
from app.predictions.accounts import Budget
from app.predictions.costs import Prices
from app.predictions.presentations import is_rotated
from app.predictions.queries_progress import REFUSALS, RUN_PROGRESS, WORKED_INSTEAD
from app.predictions.runs import no_run

LEAST_SECONDS = 1.0
"""A pace that was kept for less tells nothing."""


@dataclass(frozen=True)
class Calls:
    """A run's calls: `retrying` counts answers that are lacking and were asked for in vain before.

    `spent` counts tokens as the endpoint did, else as reckoned; `pace` is in answers a second, over the last minute.
    """

    in_flight: int = 0
    reused: int = 0
    retrying: int = 0
    spent: Tokens = field(default_factory=Tokens)
    pace: float | None = None
    budget: Budget = field(default_factory=Budget)
    prices: Prices | None = None

    @property
    def cost(self) -> Decimal | None:
        """What was spent, in the currency of the prices."""
        return None if self.prices is None else self.prices.amount(*self.spent)


class Refusals(NamedTuple):
    """How many calls of the endpoint have failed, those that healed too, and how the last one did, in words.

    `timed_out` of them had no answer in time.
    """

    calls: int
    timed_out: int
    last: str | None


class Hands(NamedTuple):
    """Whether a worker has a run in hand; and the first run that workers have in hand, if there is one."""

    is_worked: bool
    busy_with: int | None


@dataclass(frozen=True)
class Progress:
    """Where a run stands; `states` counts predictions, of which `rotated` runs have one a rotation."""

    run: int
    dataset: str
    solver: str
    label: str
    status: str
    total: int
    states: dict[str, int]
    endpoint_requests: int
    reasked: int
    finished_at: datetime | None
    scored: bool
    rotated: bool = False
    sample: int | None = None
    pause_reason: str | None = None
    calls: Calls = field(default_factory=Calls)

    @property
    def done(self) -> int:
        """Predictions there are."""
        return sum(self.states.values())

    @property
    def is_settled(self) -> bool:
        """Whether nothing more comes: the run is scored, or it stands still and nothing of it is in flight."""
        return self.scored or (self.status in ("paused", "cancelled") and not self.calls.in_flight)

    @property
    def waiting(self) -> int:
        """Predictions that are lacking and not in flight."""
        return max(0, self.total - self.done - self.calls.in_flight)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the pace of the last minute; None where nothing is under way."""
        if self.status not in ("queued", "running") or not self.calls.pace:
            return None
        return (self.total - self.done) / self.calls.pace

    def as_json(self) -> dict[str, Any]:
        """What `evaluate --json` prints."""
        return {
            "run": self.run,
            "status": self.status,
            "total": self.total,
            "states": self.states,
            "endpoint_requests": self.endpoint_requests,
            "reasked": self.reasked,
        }

    def told(self) -> dict[str, Any]:
        """What `run show --json` prints under `progress`."""
        cost, prices = self.calls.cost, self.calls.prices
        return {
            "done": self.done,
            "waiting": self.waiting,
            "in_flight": self.calls.in_flight,
            "retrying": self.calls.retrying,
            "errors": self.states["error"],
            "reused": self.calls.reused,
            "tokens": sum(self.calls.spent),
            "cost": None if cost is None else float(cost),
            "currency": None if prices is None else prices.currency,
            "seconds_left": self.seconds_left,
            "paused": self.pause_reason,
            "budget": self.calls.budget.as_json(),
        }


def progress_of(connection: Connection, run_id: int, now: datetime | None = None) -> Progress:
    """Where a run stands at `now`, else by the system's clock. Raises NotFound."""
    binds = {"run_id": run_id, "now": now or SystemClock().now()}
    row = connection.execute(RUN_PROGRESS, binds).one_or_none()
    if row is None:
        raise no_run(run_id)
    pace = row.lately / max(LEAST_SECONDS, float(row.seconds)) if row.lately else None
    calls = Calls(
        row.in_flight,
        row.reused,
        row.retrying,
        Tokens(row.spent_prompt, row.spent_completion),
        pace,
        Budget.of(row.budget),
        Prices.of(row.prices),
    )
    return Progress(
        row.id,
        row.dataset,
        row.solver,
        row.label,
        row.status,
        row.total,
        {"answered": row.answered, "no_answer": row.no_answer, "error": row.error},
        row.asked,
        row.reasked,
        row.finished_at,
        row.scored,
        is_rotated(row.presentation),
        row.sample,
        row.pause_reason,
        calls,
    )


def refusals_of(connection: Connection, run_id: int) -> Refusals:
    """What the endpoint of a run has refused. For who sees all of its calls: a server's words may hold anything."""
    return Refusals(*connection.execute(REFUSALS, {"run_id": run_id, "no_answer": NO_ANSWER}).one())


def hands_on(connection: Connection, run_id: int) -> Hands:
    """Whether a worker has the run in hand, and which run workers are busy with."""
    return Hands(*connection.execute(WORKED_INSTEAD, {"run_id": run_id}).one())


def newest_runs(connection: Connection, limit: int) -> list[Progress]:
    """The newest runs, newest first."""
    return [
        progress_of(connection, run_id)
        for run_id in connection.execute(queries_runs.LIST_RUNS, {"limit": limit}).scalars().all()
    ]


def error_reasons(connection: Connection, run_id: int, limit: int = 5) -> list[tuple[str, int]]:
    """Why predictions of the run are errors, commonest first, with their numbers."""
    rows = connection.execute(queries_runs.ERROR_REASONS, {"run_id": run_id, "limit": limit})
    return [(row.reason, row.n) for row in rows]


def describe_budget(found: Progress) -> str:
    """A run's budget in words."""
    budget, prices = found.calls.budget, found.calls.prices
    limits = [] if budget.tokens is None else [f"{budget.tokens:,} tokens"]
    limits += [] if budget.money is None or prices is None else [f"{budget.money} {prices.currency}"]
    return " and ".join(limits) or "none"


def why_stopped(found: Progress) -> str:
    """Why a run stands still, and how it goes on."""
    if found.status == "cancelled":
        return f"run {found.run} is cancelled: it keeps its {found.done} answers and is not ranked."
    if found.pause_reason == "budget":
        return (
            f"run {found.run} is paused: its budget of {describe_budget(found)} does not suffice for another call "
            f"after {sum(found.calls.spent):,} tokens. `trigpoint run resume {found.run} --budget-tokens N` (or "
            "--budget-money, --no-budget) continues it."
        )
    return f"run {found.run} is paused: `trigpoint run resume {found.run}` continues it."
