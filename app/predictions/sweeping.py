"""The sweep: takes back expired leases, closes what is finished, and says what should be enqueued again.

Reads and writes batch, step, prediction, run; safe to run in any number of processes at once (SKIP LOCKED).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.core.log import get_logger
from app.predictions import queries_control, queries_ledger, queries_runs, queries_sweeping
from app.predictions.leases import DEATHS, SUSPECT_FROM
from app.predictions.presentations import presentations

logger = get_logger(__name__)
BATCHES_AT_ONCE = 20


@dataclass
class Swept:
    """What one sweep found."""

    expired: int = 0
    reasked: int = 0
    given_up: int = 0
    work_waits: bool = False
    to_score: list[int] = field(default_factory=list)


def sweep(
    connection: Connection, now: datetime, score_after_seconds: float = 10.0, *, take_back: bool = True
) -> Swept:
    """One sweep; commits as it goes, batch groups by batch groups. Without `take_back` expired leases are left alone.

    `score_after_seconds`: how long a finished run may lack scores before it is named again in `to_score`.
    """
    swept = Swept()
    while take_back and _take_back(connection, now, swept):
        connection.commit()
    for run_id in connection.execute(queries_sweeping.RUNS_WITHOUT_OPEN_BATCHES).scalars().all():
        swept.to_score += connection.execute(
            queries_runs.FINISH_RUN, {"run_id": run_id, "now": now}
        ).scalars()
    connection.commit()
    before = now - timedelta(seconds=score_after_seconds)
    swept.to_score += connection.execute(
        queries_sweeping.RUNS_WITHOUT_SCORES, {"finished_before": before}
    ).scalars()
    swept.work_waits = connection.execute(queries_sweeping.WORK_IS_WAITING).scalar_one()
    connection.commit()
    return swept


def server_age(connection: Connection) -> float:
    """Seconds since PostgreSQL was started; both ends by its own clock."""
    seconds: float = connection.execute(queries_sweeping.SERVER_AGE).scalar_one()
    connection.commit()
    return seconds


def _take_back(connection: Connection, now: datetime, swept: Swept) -> bool:
    """Return a group of expired batches; whether there were any."""
    expired = connection.execute(
        queries_sweeping.EXPIRED_BATCHES, {"now": now, "limit": BATCHES_AT_ONCE}
    ).all()
    for batch in expired:
        lost = connection.execute(queries_sweeping.LOSE_STEPS, {"batch_id": batch.id}).all()
        # A model's SQL costs nothing to run again; only calls of an endpoint are paid for twice.
        asked = sum(step.kind == "chat" for step in lost)
        if asked:
            _count_as_spent(connection, batch.run_id, asked, lost)
        given_up = _return_batch(connection, batch, {step.question_id for step in lost}, now)
        logger.warning(
            "lease expired",
            batch=batch.id,
            run=batch.run_id,
            owner=batch.owner,
            attempt=batch.attempt + 1,
            in_flight=len(lost),
            given_up=given_up,
        )
        swept.expired += 1
        swept.reasked += asked
        swept.given_up += given_up
    return bool(expired)


def _count_as_spent(connection: Connection, run_id: int, asked: int, lost: Sequence[Any]) -> None:
    """Calls whose answers nobody heard count as what was reserved for them: they may have been paid for."""
    binds = {
        "run_id": run_id,
        "lost": asked,
        "prompt": sum(step.prompt for step in lost),
        "completion": sum(step.completion for step in lost),
    }
    connection.execute(queries_control.SET_LOST_ON_ACCOUNT, binds)


def _return_batch(connection: Connection, batch: Any, in_flight: set[str], now: datetime) -> int:
    """Put one expired batch back, split, or give its question up; how many were given up.

    Long episodes outlive many workers: a question of which a call was answered under the lease has moved on, and
    deaths in a row are counted anew where all that were in flight (all, where none was) have. After the first death
    the batch goes back whole. After the second, the questions in flight that stood still become batches of their own
    that are worked alone, so that what kills workers takes nothing with it; the others stay together. The third death
    of a batch of one makes its question an error.
    """
    left = (
        connection.execute(
            queries_sweeping.UNFINISHED_QUESTIONS,
            {"run_id": batch.run_id, "question_ids": batch.question_ids},
        )
        .scalars()
        .all()
    )
    attempt = batch.attempt + 1
    if not left:
        _put(connection, batch.id, "done", [], attempt)
        return 0
    still = (in_flight or set(left)) - _moved(connection, batch, left)
    if not still:
        _put(connection, batch.id, "waiting", list(left), 0)
        return 0
    if attempt >= DEATHS and len(left) == 1:
        _give_up(connection, batch, left[0], attempt, now)
        _put(connection, batch.id, "done", [], attempt)
        return 1
    if attempt < SUSPECT_FROM or len(left) == 1:
        _put(connection, batch.id, "waiting", list(left), attempt)
        return 0
    suspects = [question for question in left if question in still] or list(left)
    others = [question for question in left if question not in set(suspects)]
    number = connection.execute(queries_ledger.LAST_BATCH_NUMBER, {"run_id": batch.run_id}).scalar_one()
    for offset, question in enumerate(suspects, start=1):
        connection.execute(
            queries_ledger.INSERT_BATCH,
            {
                "run_id": batch.run_id,
                "number": number + offset,
                "question_ids": [question],
                "attempt": attempt,
            },
        )
    _put(connection, batch.id, "waiting" if others else "done", others, SUSPECT_FROM - 1)
    return 0


def _moved(connection: Connection, batch: Any, left: Sequence[str]) -> set[str]:
    """Those of the questions of which a call was answered under the lease that expired."""
    binds = {"run_id": batch.run_id, "batch_id": batch.id, "token": batch.fencing_token}
    found = connection.execute(queries_sweeping.MOVED_QUESTIONS, binds | {"question_ids": list(left)})
    return set(found.scalars())


def _give_up(connection: Connection, batch: Any, question_id: str, attempt: int, now: datetime) -> None:
    """Make errors of all that is missing of a question, however it is shown."""
    key = {"run_id": batch.run_id, "question_id": question_id}
    row = connection.execute(queries_sweeping.HOW_SHOWN, key).one()
    shown = presentations(row.presentation, row.options)
    values = key | {
        "presentation_keys": [one.key for one in shown],
        "rotations": [one.rotation for one in shown],
        "error": f"{attempt} workers in a row were lost while they worked on this question",
    }
    connection.execute(queries_sweeping.GIVE_UP_QUESTION, values | {"token": batch.fencing_token, "now": now})


def _put(connection: Connection, batch_id: int, state: str, question_ids: list[str], attempt: int) -> None:
    values = {"id": batch_id, "state": state, "question_ids": question_ids, "attempt": attempt}
    connection.execute(queries_sweeping.RETURN_BATCH, values)
