"""Schedules as they are stored: added, listed, paused, removed; and the jobs of those that are due."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.core.errors import Conflict, NotFound, UsageError
from app.core.identity import canonical_json
from app.jobs.jobs import store_job
from app.predictions.runs import find_endpoint
from app.questions.imported.opening import refuse_imported
from app.questions.versions import find_version
from app.schedules import queries
from app.schedules.models import NewSchedule, Schedule
from app.schedules.timing import Window, next_due, next_try
from app.solvers import find_solver

MOST_TOLD = 4_000


def add_schedule(connection: Connection, asked: NewSchedule, key_id: int | None, now: datetime) -> Schedule:
    """Store a schedule that is due at once. The caller commits.

    Raises NotFound for a data set or endpoint that is not there, Conflict for a name that is taken, UsageError for a
    solver whose answers cannot be carried over.
    """
    if "@" in asked.dataset:
        raise UsageError(f"{asked.dataset} names a version; a schedule follows the newest: leave @… out.")
    version = find_version(connection, asked.dataset)
    refuse_imported(connection, version, "So no schedule refreshes it.")
    for run in asked.runs:
        solver = find_solver(run.solver)
        if solver.reads or not solver.calls_endpoint:
            why = "reads the map or the gold" if solver.reads else "asks no endpoint"
            raise UsageError(f"Runs of {run.solver} are not continued: it {why}.")
        find_endpoint(connection, run.endpoint)
    window = asked.hours
    values = asked.model_dump(exclude={"window", "runs", "snapshot"}) | {
        "snapshot": asked.map_name,
        "window_begin": window.begin if window else None,
        "window_end": window.end if window else None,
        "runs": canonical_json([one.model_dump() for one in asked.runs]),
        "key_id": key_id,
        "now": now,
    }
    if window is not None and window.begin == window.end:
        raise UsageError(f"The window {asked.window} is empty: give two hours, such as 01-05.")
    if connection.execute(queries.INSERT, values).scalar_one_or_none() is None:
        raise Conflict(f"There is a schedule {asked.name} already; remove it first, or take another name.")
    return read_schedule(connection, asked.name, now)


def list_schedules(connection: Connection, now: datetime) -> list[Schedule]:
    """All of them by name, as they stand at `now`."""
    rows = connection.execute(queries.LIST, {"now": now, "name": None}).mappings()
    return [Schedule.model_validate(dict(row)) for row in rows]


def read_schedule(connection: Connection, name: str, now: datetime) -> Schedule:
    """One of them. Raises NotFound."""
    row = connection.execute(queries.LIST, {"now": now, "name": name}).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no schedule {name}; `trigpoint schedule list` shows all schedules.")
    return Schedule.model_validate(dict(row))


def set_paused(connection: Connection, name: str, paused: bool, now: datetime) -> tuple[Schedule, bool]:
    """Have workers pass it over, or look again; the schedule, and whether that is new. The caller commits."""
    changed = connection.execute(queries.SET_PAUSED, {"name": name, "paused": paused}).rowcount > 0
    return read_schedule(connection, name, now), changed


def remove_schedule(connection: Connection, name: str) -> None:
    """Forget it; maps and versions stay. The caller commits. Raises NotFound."""
    if not connection.execute(queries.REMOVE, {"name": name}).rowcount:
        raise NotFound(f"There is no schedule {name}; `trigpoint schedule list` shows all schedules.")


def ask_for_due(connection: Connection, now: datetime) -> list[str]:
    """Ask for a job for each schedule that is due and has none; their names. The caller commits.

    Others that look at the same time pass over the rows that this transaction holds.
    """
    asked = []
    for row in connection.execute(queries.DUE, {"now": now}).all():
        window = None if row.window_begin is None else Window(row.window_begin, row.window_end)
        due_at = next_due(now, row.cadence_hours, window)
        connection.execute(queries.SET_DUE, {"name": row.name, "due_at": due_at})
        if not connection.execute(queries.OPEN_JOB, {"name": row.name}).scalar_one():
            store_job(connection, "refresh_schedule", {"schedule": row.name}, None, now)
            asked.append(row.name)
    return asked


def go_on(
    connection: Connection, name: str, stage: str, aim: Mapping[str, Any], taken: datetime | None = None
) -> None:
    """A stage is done: commit it."""
    values = {"name": name, "stage": stage, "aim": canonical_json(dict(aim)), "taken": taken}
    connection.execute(queries.GO_ON, values)
    connection.commit()


def begin_again(connection: Connection, name: str, taken: datetime) -> None:
    """The state of `taken` is done with, and not to be imported again, though nothing was published."""
    connection.execute(queries.BEGIN_AGAIN, {"name": name, "taken": taken})
    connection.commit()


def note_look(connection: Connection, name: str, sequence: int, timestamp: datetime, now: datetime) -> None:
    """What the source had at this look. Commits."""
    binds = {"name": name, "sequence": sequence, "timestamp": timestamp, "now": now}
    connection.execute(queries.LOOKED, binds)
    connection.commit()


def end_round(connection: Connection, name: str, result: str, told: str, now: datetime) -> None:
    """A round has come to its end, or failed: then it stays open, and is tried again soon. Commits."""
    schedule = read_schedule(connection, name, now)
    due = next_try if result == "failed" else next_due
    binds = {
        "name": name,
        "result": result,
        "told": told[:MOST_TOLD],
        "now": now,
        "due_at": due(now, schedule.cadence_hours, schedule.hours),
    }
    connection.execute(queries.END_ROUND, binds)
    connection.commit()
