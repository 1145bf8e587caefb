"""Which worker has which job: at most one at a time has a job, by a lease that it renews.

A job whose worker was lost three times has failed. What a job does may be done twice without harm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from sqlalchemy import Connection

from app.core.identity import canonical_json
from app.core.settings import Settings
from app.jobs import queries
from app.jobs.kinds import OWNERS, Kind

MOST_ATTEMPTS = 3
LOST = f"Its worker was lost {MOST_ATTEMPTS} times; read the workers' logs."


@dataclass(frozen=True)
class ClaimedJob:
    """A job that `owner` has until its lease ends; `attempt` fences it off from workers that had it before."""

    id: int
    kind: Kind
    arguments: Mapping[str, Any]
    attempt: int
    owner: str


@dataclass(frozen=True)
class JobEnd:
    """How a job has ended."""

    state: Literal["done", "failed", "cancelled"]
    result: Mapping[str, Any] | None = None
    error: str | None = None


def kinds_of(settings: Settings) -> Sequence[Kind]:
    """What a worker with these settings can do: imports need the owner's password."""
    every: tuple[Kind, ...] = get_args(Kind)
    return [kind for kind in every if kind not in OWNERS or settings.password_owner is not None]


def kinds_waiting(connection: Connection, settings: Settings, now: datetime) -> set[Kind]:
    """Kinds of job that wait for a worker with these settings."""
    binds = {"kinds": [*kinds_of(settings)], "now": now}
    return set(connection.execute(queries.KINDS_WAITING, binds).scalars())


def claim_job(
    connection: Connection, kinds: Sequence[Kind], owner: str, now: datetime, deadline: datetime
) -> ClaimedJob | None:
    """The next job of these kinds, leased until `deadline`; None where none waits. The caller commits."""
    connection.execute(queries.GIVE_UP_JOBS, {"now": now, "most": MOST_ATTEMPTS, "error": LOST})
    binds = {"now": now, "deadline": deadline, "owner": owner, "most": MOST_ATTEMPTS, "kinds": [*kinds]}
    row = connection.execute(queries.CLAIM_JOB, binds).one_or_none()
    return None if row is None else ClaimedJob(row.id, row.kind, row.arguments, row.attempt, owner)


def renew_claim(
    connection: Connection, job: ClaimedJob, deadline: datetime, progress: str | None = None
) -> Literal["held", "cancelled", "lost"]:
    """Lengthen the lease and note how far the job is. The caller commits.

    `cancelled` where somebody asked to end the job, `lost` where it is another worker's.
    """
    binds = {
        "job_id": job.id,
        "attempt": job.attempt,
        "owner": job.owner,
        "deadline": deadline,
        "progress": progress,
    }
    row = connection.execute(queries.RENEW_JOB, binds).one_or_none()
    if row is None:
        return "lost"
    return "cancelled" if row.is_cancelled else "held"


def hand_back_job(connection: Connection, job: ClaimedJob) -> None:
    """Let another worker have the job, as if this one had not begun it. The caller commits."""
    connection.execute(queries.HAND_BACK_JOB, {"job_id": job.id, "attempt": job.attempt})


def finish_job(connection: Connection, job: ClaimedJob, end: JobEnd, now: datetime) -> None:
    """Store how the job has ended, unless another worker has it by now. The caller commits."""
    values = {
        "job_id": job.id,
        "attempt": job.attempt,
        "state": end.state,
        "result": None if end.result is None else canonical_json(end.result),
        "error": end.error,
        "now": now,
    }
    connection.execute(queries.FINISH_JOB, values)
