"""Asking for a job: what nobody could do is refused at once, the rest waits for a worker."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.jobs.jobs import Job, add_job
from app.jobs.kinds import Kind
from app.operations.endpoints import find_healthy
from app.predictions.listing import read_card
from app.questions.snapshots import find_snapshots
from app.questions.versions import find_version
from app.report_cards.suites import DEFAULT, find_suite
from app.schedules.schedules import read_schedule
from app.scores.rescoring import check_finished
from app.workbench.publishing import require_agreed

Check = Callable[[Connection, Mapping[str, Any], datetime], object]


def ask_for_job(
    connection: Connection, kind: Kind, arguments: Mapping[str, Any], key_id: int, now: datetime
) -> Job:
    """Store a job that waits; `arguments` are those of its kind, checked. The caller commits, and wakes a worker.

    Raises NotFound for a run, a data set, an endpoint or a schedule that there is not, and Conflict for a run that
    cannot be scored yet.
    """
    check = _CHECKS.get(kind)
    if check is not None:
        check(connection, arguments, now)
    return add_job(connection, kind, arguments, key_id, now)


def _check_report_card(connection: Connection, asked: Mapping[str, Any], _: datetime) -> None:
    """Raise NotFound for a suite, an endpoint or a map that there is not, Conflict for an endpoint that failed."""
    find_suite(asked.get("suite", DEFAULT))
    find_healthy(connection, asked["endpoint"])
    find_snapshots(connection, [asked["snapshot"]])


_CHECKS: Mapping[Kind, Check] = {
    "rescore": lambda connection, asked, _: check_finished(connection, asked["run"]),
    "refresh": lambda connection, asked, _: find_version(connection, asked["dataset"]),
    "endpoint_check": lambda connection, asked, _: read_card(connection, asked["name"]),
    "publish_written": lambda connection, asked, _: require_agreed(connection, asked["dataset"]),
    "report_card": _check_report_card,
    "refresh_schedule": lambda connection, asked, now: read_schedule(connection, asked["schedule"], now),
}
"""What is looked up before a job is stored, by its kind."""
