"""Does jobs: at most one worker has a job at a time, by a lease that it renews.

A job whose worker is lost three times has failed. What a job does may be done twice without harm.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, get_args

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import TrigpointError
from app.core.identity import canonical_json
from app.core.log import get_logger
from app.core.settings import Settings
from app.db.outages import first_line, will_pass
from app.jobs import queries
from app.jobs.commands import Ended, Order, run_command
from app.jobs.kinds import COMMANDS, OWNERS, Kind
from app.predictions.checks import check_stored, longest_check, patience_of
from app.predictions.endpoints import read_endpoint

logger = get_logger(__name__)
MOST_ATTEMPTS = 3
LOST = f"Its worker was lost {MOST_ATTEMPTS} times; read the workers' logs."


@dataclass(frozen=True)
class Claimed:
    """A job that this worker has until its lease ends."""

    id: int
    kind: Kind
    arguments: Mapping[str, Any]
    attempt: int


@dataclass(frozen=True)
class Bench:
    """Where jobs are worked: by whom, with what, until when."""

    engine: Engine
    settings: Settings
    clock: Clock
    owner: str
    is_stopping: Callable[[], bool] = lambda: False

    @property
    def first_lease(self) -> timedelta:
        """Long enough for a check of an endpoint, which cannot renew it; commands do so each second."""
        return self.lease_of_check(self.settings.request_timeout_seconds)

    def lease_of_check(self, patience: float) -> timedelta:
        """The same where calls are waited for so long."""
        return timedelta(seconds=longest_check(patience) + self.settings.lease_seconds)


def kinds_of(settings: Settings) -> Sequence[Kind]:
    """What a worker with these settings can do: imports need the owner's password."""
    every: tuple[Kind, ...] = get_args(Kind)
    return [kind for kind in every if kind not in OWNERS or settings.password_owner is not None]


def kinds_waiting(connection: Connection, settings: Settings, now: datetime) -> set[Kind]:
    """Kinds of job that wait for a worker with these settings."""
    binds = {"kinds": [*kinds_of(settings)], "now": now}
    return set(connection.execute(queries.KINDS_WAITING, binds).scalars())


def work_jobs(bench: Bench) -> int:
    """Do what waits, one after the other, until nothing does or the worker stops; how many were done."""
    done = 0
    while not bench.is_stopping() and (claimed := _claim(bench)) is not None:
        done += _work(bench, claimed)
    return done


def _work(bench: Bench, claimed: Claimed) -> bool:
    """Do one job; whether it has ended with that."""
    try:
        result, state, error = _perform(bench, claimed), "done", None
    except TrigpointError as refused:
        result, state, error = None, "failed", str(refused)
    except Ended as ended:
        logger.info("job ended", job=claimed.id, kind=claimed.kind, why=ended.order)
        if ended.order == "lost":
            return False
        if ended.order == "hand back":
            with bench.engine.begin() as connection:
                connection.execute(queries.HAND_BACK_JOB, {"job_id": claimed.id, "attempt": claimed.attempt})
            return False
        result, state, error = None, "cancelled", None
    with bench.engine.begin() as connection:
        values = {
            "job_id": claimed.id,
            "attempt": claimed.attempt,
            "state": state,
            "result": None if result is None else canonical_json(result),
            "error": error,
            "now": bench.clock.now(),
        }
        connection.execute(queries.FINISH_JOB, values)
    logger.info("job done", job=claimed.id, kind=claimed.kind, state=state)
    return True


def _claim(bench: Bench) -> Claimed | None:
    now = bench.clock.now()
    binds = {
        "now": now,
        "deadline": now + bench.first_lease,
        "owner": bench.owner,
        "most": MOST_ATTEMPTS,
        "kinds": [*kinds_of(bench.settings)],
    }
    with bench.engine.begin() as connection:
        connection.execute(queries.GIVE_UP_JOBS, {"now": now, "most": MOST_ATTEMPTS, "error": LOST})
        row = connection.execute(queries.CLAIM_JOB, binds).one_or_none()
    return None if row is None else Claimed(row.id, row.kind, row.arguments, row.attempt)


def _perform(bench: Bench, job: Claimed) -> dict[str, Any]:
    if job.kind == "endpoint_check":
        with bench.engine.connect() as connection:
            _renew_for_check(connection, bench, job)
            return check_stored(connection, job.arguments["name"], bench.settings, bench.clock).as_json()
    words = COMMANDS[job.kind].model_validate(job.arguments).command()
    return run_command(words, bench.settings.local_dir / "extracts", _Watch(bench, job).ask)


def _renew_for_check(connection: Connection, bench: Bench, job: Claimed) -> None:
    """Lengthen the lease where the record of the endpoint says that its calls may take longer."""
    limits = read_endpoint(connection, job.arguments["name"]).limits.as_json()
    binds = {
        "job_id": job.id,
        "attempt": job.attempt,
        "owner": bench.owner,
        "deadline": bench.clock.now() + bench.lease_of_check(patience_of(limits, bench.settings)),
        "progress": None,
    }
    connection.execute(queries.RENEW_JOB, binds)
    connection.commit()


class _Watch:
    """Tells the database how far a command is, renews its lease, and brings back what is wanted of it."""

    def __init__(self, bench: Bench, job: Claimed) -> None:
        self._bench = bench
        self._job = job
        self._until = time.monotonic() + bench.settings.lease_seconds

    def ask(self, told: str) -> Order:
        """A database that is away for a while ends nothing, before the lease does."""
        bench = self._bench
        if bench.is_stopping():
            return "hand back"
        binds = {
            "job_id": self._job.id,
            "attempt": self._job.attempt,
            "owner": bench.owner,
            "deadline": bench.clock.now() + timedelta(seconds=bench.settings.lease_seconds),
            "progress": told or None,
        }
        try:
            with bench.engine.begin() as connection:
                row = connection.execute(queries.RENEW_JOB, binds).one_or_none()
        except DBAPIError as error:
            if not will_pass(error):
                raise
            logger.warning("job not renewed", job=self._job.id, reason=first_line(error))
            return "go on" if time.monotonic() < self._until else "lost"
        self._until = time.monotonic() + bench.settings.lease_seconds
        if row is None:
            return "lost"
        return "cancel" if row.is_cancelled else "go on"
