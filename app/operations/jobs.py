"""Doing jobs: each kind names an operation, which runs in a process of its own; a check of an endpoint runs here."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import TrigpointError
from app.core.log import get_logger
from app.core.settings import Settings
from app.db.outages import first_line, will_pass
from app.jobs.claims import (
    ClaimedJob,
    JobEnd,
    claim_job,
    finish_job,
    hand_back_job,
    kinds_of,
    renew_claim,
)
from app.operations.separate_process import EndedByOrder, Order, run_apart
from app.predictions.checks import check_stored, longest_check, patience_of
from app.predictions.endpoints import read_endpoint

logger = get_logger(__name__)


@dataclass(frozen=True)
class JobWorker:
    """Who does jobs, with which database and settings, and until when."""

    engine: Engine
    settings: Settings
    clock: Clock
    owner: str
    is_stopping: Callable[[], bool] = lambda: False

    @property
    def first_lease(self) -> timedelta:
        """Long enough for a check of an endpoint, which cannot renew it; other operations renew it each second."""
        return self.lease_of_check(self.settings.request_timeout_seconds)

    def lease_of_check(self, patience: float) -> timedelta:
        """The same where calls are waited for so many seconds."""
        return timedelta(seconds=longest_check(patience) + self.settings.lease_seconds)


def work_jobs(worker: JobWorker) -> int:
    """Do what waits, one after the other, until nothing does or the worker stops; how many have ended."""
    done = 0
    while not worker.is_stopping() and (job := _claim(worker)) is not None:
        end = _work(worker, job)
        if end is None:
            continue
        with worker.engine.begin() as connection:
            finish_job(connection, job, end, worker.clock.now())
        logger.info("job done", job=job.id, kind=job.kind, state=end.state)
        done += 1
    return done


def _claim(worker: JobWorker) -> ClaimedJob | None:
    now = worker.clock.now()
    with worker.engine.begin() as connection:
        kinds = kinds_of(worker.settings)
        return claim_job(connection, kinds, worker.owner, now, now + worker.first_lease)


def _work(worker: JobWorker, job: ClaimedJob) -> JobEnd | None:
    """How the job has ended; None where another worker has it, or will."""
    try:
        return JobEnd("done", _perform(worker, job))
    except TrigpointError as refused:
        return JobEnd("failed", error=str(refused))
    except EndedByOrder as ended:
        logger.info("job ended", job=job.id, kind=job.kind, why=ended.order)
        if ended.order == "hand back":
            with worker.engine.begin() as connection:
                hand_back_job(connection, job)
        return JobEnd("cancelled") if ended.order == "cancel" else None


def _perform(worker: JobWorker, job: ClaimedJob) -> dict[str, Any]:
    """The value of the job's operation."""
    if job.kind == "endpoint_check":
        return _check_endpoint(worker, job)
    return run_apart(job.kind, job.arguments, worker.settings.local_dir / "extracts", _Watch(worker, job).ask)


def _check_endpoint(worker: JobWorker, job: ClaimedJob) -> dict[str, Any]:
    """Check the endpoint, with a lease as long as its record says that its calls may take."""
    name = job.arguments["name"]
    with worker.engine.connect() as connection:
        limits = read_endpoint(connection, name).limits.as_json()
        lease = worker.lease_of_check(patience_of(limits, worker.settings))
        renew_claim(connection, job, worker.clock.now() + lease)
        connection.commit()
        return check_stored(connection, name, worker.settings, worker.clock).as_json()


class _Watch:
    """Tells the database how far an operation is, renews its lease, and brings back what is wanted of it."""

    def __init__(self, worker: JobWorker, job: ClaimedJob) -> None:
        self._worker = worker
        self._job = job
        self._until = time.monotonic() + worker.settings.lease_seconds

    def ask(self, told: str) -> Order:
        """A database that is away for a while ends nothing, before the lease does."""
        worker = self._worker
        if worker.is_stopping():
            return "hand back"
        deadline = worker.clock.now() + timedelta(seconds=worker.settings.lease_seconds)
        try:
            with worker.engine.begin() as connection:
                found = renew_claim(connection, self._job, deadline, told or None)
        except DBAPIError as error:
            if not will_pass(error):
                raise
            logger.warning("job not renewed", job=self._job.id, reason=first_line(error))
            return "go on" if time.monotonic() < self._until else "lost"
        self._until = time.monotonic() + worker.settings.lease_seconds
        orders: dict[str, Order] = {"held": "go on", "cancelled": "cancel", "lost": "lost"}
        return orders[found]
