"""Finished runs carried over to a later version: answers to questions that are asked as before, without asking again.

Reads lineage and the runs of the version before; writes run and prediction. A carried run names the one that was asked.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.db.engine import without_nested_loops
from app.predictions import queries_carrying as queries
from app.predictions import queries_runs
from app.predictions.presentations import presentations
from app.predictions.runs import finish_if_done


class CarriedRun(NamedTuple):
    """A run, and the one that stands for it on the later version; None, and why, where there is none."""

    run: int
    label: str
    carried: int | None
    why: str | None = None


def carry_runs(
    connection: Connection,
    version_id: int,
    new_id: int,
    refuse: Callable[[str], str | None],
    now: datetime,
) -> list[CarriedRun]:
    """Carry over every finished run of a version, oldest first, to be scored; the caller scores and commits.

    `refuse` tells why the runs of a solver are not to be carried, or None. Verdicts of judges are left behind.
    """
    rows = connection.execute(queries.FINISHED_RUNS, {"version_id": version_id}).all()
    asked = connection.execute(queries_runs.DISTINCT_QUESTIONS, {"version_id": new_id}).all()
    carried = []
    for run in rows:
        why = refuse(run.solver)
        new_run = None
        if why is None:
            new_run = _carry(connection, run, version_id, new_id, asked, now)
            why = None if new_run else "not all of its answers are to questions that are asked as before"
        carried.append(CarriedRun(run.id, run.label, new_run, why))
    return carried


def _carry(
    connection: Connection, run: Row[Any], version_id: int, new_id: int, asked: Any, now: datetime
) -> int | None:
    """The run that stands for it, finished; None where answers are lacking, and nothing is written then."""
    nested = connection.begin_nested()
    binds = {"run_id": run.id, "version_id": version_id, "new_id": new_id, "now": now}
    new_run: int = connection.execute(queries.INSERT_CARRIED_RUN, binds).scalar_one()
    binds["new_run_id"] = new_run
    with without_nested_loops(connection):
        connection.execute(queries.COPY_PREDICTIONS, binds)
    answered = set(connection.execute(queries.CARRIED_QUESTIONS, binds).scalars())
    wanted = [row for row in asked if run.sample is None or row.id in answered]
    total = sum(len(presentations(run.presentation, row.options)) for row in wanted) * run.repeats
    sample = None
    if run.sample is not None:
        sample = sorted(row.id for row in wanted)
    connection.execute(queries.SET_TOTAL, {"new_run_id": new_run, "total": total, "sample": sample})
    if not wanted or not finish_if_done(connection, new_run, now):
        nested.rollback()
        return None
    nested.commit()
    return new_run
