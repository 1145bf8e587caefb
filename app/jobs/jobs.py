"""Jobs as they are stored: asked for, read, cancelled. Who has which of them is in `claims`."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound
from app.core.identity import canonical_json
from app.jobs import queries
from app.jobs.kinds import Kind

FIRST = 2**62


class Job(BaseModel):
    """A job as REST shows it; to maintainers alone."""

    model_config = ConfigDict(frozen=True)

    job: int
    kind: Kind
    arguments: dict[str, Any]
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    attempt: int = Field(description="number of times that a worker started it")
    progress: str | None = Field(description="the last line that it printed")
    result: dict[str, Any] | None = Field(description="the result, once it is done")
    error: str | None = Field(description="why it failed")
    key: str | None = Field(description="the prefix of the key that asked for it")
    created_at: datetime
    started_at: datetime | None
    cancel_asked_at: datetime | None
    finished_at: datetime | None


class JobPage(BaseModel):
    """Jobs, the newest first."""

    jobs: list[Job]
    next: str | None


def add_job(
    connection: Connection, kind: Kind, arguments: Mapping[str, Any], key_id: int, now: datetime
) -> Job:
    """Store a job that waits. The caller commits, and wakes a worker."""
    return read_job(connection, store_job(connection, kind, arguments, key_id, now))


def store_job(
    connection: Connection, kind: Kind, arguments: Mapping[str, Any], key_id: int | None, now: datetime
) -> int:
    """The same without reading it: its number; no key asked where a schedule did."""
    values = {"kind": kind, "arguments": canonical_json(dict(arguments)), "key_id": key_id, "now": now}
    stored: int = connection.execute(queries.INSERT_JOB, values).scalar_one()
    return stored


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


def cancel_job(connection: Connection, job_id: int, now: datetime) -> tuple[Job, bool]:
    """Cancel what waits, and ask the worker of what runs to end it; the job, and whether that is new.

    The caller commits. Raises NotFound, Conflict for a job that has ended otherwise.
    """
    changed = connection.execute(queries.CANCEL_JOB, {"job_id": job_id, "now": now}).rowcount > 0
    job = read_job(connection, job_id)
    if job.state in ("done", "failed"):
        raise Conflict(f"Job {job_id} is {job.state} already: there is nothing to cancel.")
    return job, changed


def _job(row: Row[Any]) -> Job:
    values = dict(row._mapping)
    return Job(job=values.pop("id"), **values)
