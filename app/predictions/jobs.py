"""Jobs: what REST accepts with a 202 and a worker does. One kind as yet: a look at an endpoint.

At most one worker has a job at a time, by a lease; one whose worker is lost three times has failed. What a job does may
be done twice without harm.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Engine, Row

from app.core.clock import Clock
from app.core.errors import NotFound, TrigpointError
from app.core.identity import canonical_json
from app.core.log import get_logger
from app.core.settings import Settings
from app.predictions import queries_jobs as queries
from app.predictions.endpoints import examine_stored

logger = get_logger(__name__)
MOST_ATTEMPTS = 3
CALLS = 6
"""Calls that a look at an endpoint makes at most, each as long as a request may take."""
LOST = f"Its worker was lost {MOST_ATTEMPTS} times; read the workers' logs."
FIRST = 2**62
Kind = Literal["endpoint_check"]


class Job(BaseModel):
    """A job as REST shows it; to maintainers alone."""

    model_config = ConfigDict(frozen=True)

    job: int
    kind: Kind
    arguments: dict[str, Any]
    state: Literal["waiting", "running", "done", "failed"]
    attempt: int = Field(description="times that a worker began it")
    result: dict[str, Any] | None = Field(description="what came of it, once it is done")
    error: str | None = Field(description="why it failed")
    key: str | None = Field(description="the prefix of the key that asked for it")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class JobPage(BaseModel):
    """Jobs, the newest first."""

    jobs: list[Job]
    next: str | None


@dataclass(frozen=True)
class Claimed:
    """A job that this worker has until its lease ends."""

    id: int
    kind: Kind
    arguments: Mapping[str, Any]
    attempt: int


def add_job(
    connection: Connection, kind: Kind, arguments: Mapping[str, Any], key_id: int, now: datetime
) -> Job:
    """Store a job that waits. The caller commits, and wakes a worker."""
    values = {"kind": kind, "arguments": canonical_json(dict(arguments)), "key_id": key_id, "now": now}
    return read_job(connection, connection.execute(queries.INSERT_JOB, values).scalar_one())


def read_job(connection: Connection, job_id: int) -> Job:
    """A job. Raises NotFound."""
    row = connection.execute(queries.READ_JOB, {"job_id": job_id}).one_or_none()
    if row is None:
        raise NotFound(f"There is no job {job_id}.")
    return _job(row)


def list_jobs(connection: Connection, before: int | None, limit: int) -> list[Job]:
    """At most `limit` jobs, the newest first, only those made before job `before`."""
    binds = {"before": FIRST if before is None else before, "limit": limit}
    return [_job(row) for row in connection.execute(queries.LIST_JOBS, binds)]


def jobs_wait(connection: Connection, now: datetime) -> bool:
    """Whether a worker is to look for jobs."""
    waits: bool = connection.execute(queries.JOBS_WAIT, {"now": now}).scalar_one()
    return waits


def work_jobs(engine: Engine, settings: Settings, clock: Clock, owner: str) -> int:
    """Do what waits, one after the other, until nothing does; how many there were."""
    lease = timedelta(seconds=CALLS * settings.request_timeout_seconds + settings.lease_seconds)
    done = 0
    while (claimed := _claim(engine, clock.now(), lease, owner)) is not None:
        result, error = _perform(engine, settings, clock, claimed)
        with engine.begin() as connection:
            values = {
                "job_id": claimed.id,
                "attempt": claimed.attempt,
                "result": None if result is None else canonical_json(result),
                "error": error,
                "now": clock.now(),
            }
            connection.execute(queries.FINISH_JOB, values)
        logger.info("job done", job=claimed.id, kind=claimed.kind, failed=error is not None)
        done += 1
    return done


def _claim(engine: Engine, now: datetime, lease: timedelta, owner: str) -> Claimed | None:
    binds = {"now": now, "deadline": now + lease, "owner": owner, "most": MOST_ATTEMPTS}
    with engine.begin() as connection:
        connection.execute(queries.GIVE_UP_JOBS, {"now": now, "most": MOST_ATTEMPTS, "error": LOST})
        row = connection.execute(queries.CLAIM_JOB, binds).one_or_none()
    return None if row is None else Claimed(row.id, row.kind, row.arguments, row.attempt)


def _perform(
    engine: Engine, settings: Settings, clock: Clock, job: Claimed
) -> tuple[dict[str, Any] | None, str | None]:
    try:
        return PERFORM[job.kind](engine, settings, clock, job.arguments), None
    except TrigpointError as error:
        return None, str(error)


def _check_endpoint(
    engine: Engine, settings: Settings, clock: Clock, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    with engine.connect() as connection:
        health = examine_stored(connection, arguments["name"], settings.request_timeout_seconds, clock)
    return health.as_json()


Performer = Callable[[Engine, Settings, Clock, Mapping[str, Any]], dict[str, Any]]
PERFORM: Mapping[Kind, Performer] = {"endpoint_check": _check_endpoint}


def _job(row: Row[Any]) -> Job:
    values = dict(row._mapping)
    return Job(job=values.pop("id"), **values)
