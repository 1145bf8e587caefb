"""From a submission to a run: its answers become predictions, in the transaction that scores them.

One worker at a time has a submission, by a lease; one whose worker is lost three times has failed.
Reads submission and submission_answer; writes run and prediction.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import Fenced, Permanent
from app.core.identity import canonical_json
from app.predictions import queries_runs
from app.predictions.presentations import presentations
from app.predictions.runs import finish_if_done
from app.predictions.submissions import queries
from app.solvers.agents.terms import AGENT
from app.solvers.run_kinds import ANSWERS

SUBMITTED = "submitted"
"""What stands for the solver of such a run: by it boards tell what was computed elsewhere."""
BY_SESSION = "session"
"""The manner of agents that call tools in sessions."""
MOST_ATTEMPTS = 3
LEASE = timedelta(minutes=10)
LOST = f"its worker was lost {MOST_ATTEMPTS} times; whoever keeps this service finds why in the workers' logs"


class Claimed(NamedTuple):
    """A submission that this worker has until its lease ends."""

    id: int
    attempt: int


def submissions_wait(connection: Connection, now: datetime) -> bool:
    """Whether a worker is to look for submissions."""
    waits: bool = connection.execute(queries.WAITING, {"now": now}).scalar_one()
    return waits


def give_up(connection: Connection, now: datetime) -> None:
    """Close what workers died of. The caller commits."""
    connection.execute(queries.GIVE_UP, {"now": now, "most": MOST_ATTEMPTS, "lost": LOST})


def claim(connection: Connection, now: datetime, owner: str, only: int | None = None) -> Claimed | None:
    """The one that waits longest, or `only` that one; None where none does. The caller commits."""
    binds = {"now": now, "deadline": now + LEASE, "owner": owner, "most": MOST_ATTEMPTS, "only": only}
    row = connection.execute(queries.CLAIM, binds).one_or_none()
    return None if row is None else Claimed(*row)


def take(connection: Connection, claimed: Claimed, now: datetime) -> int:
    """The run that its answers are, complete and to be scored. The caller commits.

    Raises Fenced where it is this worker's no more, Permanent where the answers are not those that were checked.
    """
    key = {"submission_id": claimed.id}
    row = connection.execute(queries.LOCK, {**key, "attempt": claimed.attempt}).one_or_none()
    if row is None:
        raise Fenced(f"submission {claimed.id} was withdrawn, or another worker has it")
    stored = connection.execute(queries.COUNT_ANSWERS, key).scalar_one()
    if stored != row.answers:
        raise Permanent(f"{row.answers:,} answers were checked and {stored:,} are stored: submit it again")
    questions = connection.execute(queries_runs.DISTINCT_QUESTIONS, {"version_id": row.version_id}).all()
    presentation = _presentation(connection, claimed.id)
    run_id: int = connection.execute(
        queries_runs.INSERT_RUN,
        {
            "version_id": row.version_id,
            "kind": ANSWERS,
            "solver": SUBMITTED,
            "solver_version": 1,
            "endpoint_id": None,
            "label": row.label,
            "seed": 0,
            "sampling": canonical_json(row.card["sampling"]),
            "repeats": row.repeats,
            "presentation": canonical_json(presentation),
            "total": len(questions) * row.repeats,
            "now": now,
            "budget": None,
            "sample": None,
            "reuse": False,
        },
    ).scalar_one()
    if row.public_only:
        connection.execute(queries.COUNT_PUBLIC_ALONE, {"run_id": run_id})
    (shown,) = presentations(presentation, None)
    values = key | {
        "run_id": run_id,
        "version_id": row.version_id,
        "presentation_key": shown.key,
        "now": now,
    }
    connection.execute(queries.TAKE_ANSWERS, values)
    connection.execute(queries.TAKE_CALLS, values)
    connection.execute(queries.FORGET_CALLS, key)
    connection.execute(queries.FORGET_ANSWERS, key)
    if not finish_if_done(connection, run_id, now):
        raise Permanent("its answers are not complete: submit it again")
    return run_id


def _presentation(connection: Connection, submission_id: int) -> dict[str, Any]:
    """How the run was asked, as far as that makes it another run: with which tools, where sessions are named."""
    tools = connection.execute(queries.TOOL_SET, {"submission_id": submission_id}).scalar_one_or_none()
    return {} if tools is None else {AGENT: {"tools": tools, "manner": BY_SESSION}}


def keep_parsed(connection: Connection, run_id: int, parsed: Mapping[str, Mapping[str, Any]]) -> None:
    """Store with the run's answers, by question id, what was read from them before they came here.

    Such answers are scored as they were read, also where our reader would say that they give none.
    """
    if parsed:
        rows = [{"question_id": name, "parsed": read} for name, read in parsed.items()]
        connection.execute(queries.KEEP_PARSED, {"run_id": run_id, "rows": canonical_json(rows)})


def finish(
    connection: Connection, claimed: Claimed, run_id: int | None, error: str | None, now: datetime
) -> None:
    """Close a submission as scored, or as failed with `error`. The caller commits."""
    said = f"scored as run {run_id}" if error is None else f"failed: {error}"
    binds = {"submission_id": claimed.id, "attempt": claimed.attempt, "run_id": run_id, "error": error}
    connection.execute(queries.FINISH, {**binds, "said": said, "now": now})
    if error is not None:
        connection.execute(queries.RELEASE_SESSIONS, {"submission_id": claimed.id})
        connection.execute(queries.FORGET_ANSWERS, {"submission_id": claimed.id})
