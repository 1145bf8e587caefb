"""Deciding a dispute: it is rejected, or its question is voided or corrected in a new version."""

from datetime import datetime

from sqlalchemy import Connection

from app.access.audit import Actor
from app.core.clock import Clock, SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.disputes.deciding import Decided, check_open, decide, read_whole
from app.disputes.models import Dispute, NewDecision
from app.jobs.jobs import Job, add_job
from app.routing.apart import RoutersApart


def decide_dispute(settings: Settings, dispute: int, given: NewDecision, actor: Actor) -> Decided:
    """Decide an open dispute and commit. Raises NotFound, Conflict where it is closed or nothing can be put right."""
    with connect(settings, Role.WORKER) as connection:
        routers = RoutersApart(settings, Role.WORKER)
        decided = decide(connection, dispute, given, actor, SystemClock(), routers)
        connection.commit()
    return decided


def reject_dispute(
    connection: Connection, dispute: int, given: NewDecision, actor: Actor, clock: Clock
) -> Dispute:
    """Reject an open dispute, as the maintainer. The caller commits. Raises NotFound, Conflict where it is closed."""
    check_open(connection, dispute)
    return decide(connection, dispute, given, actor, clock).dispute


def ask_for_erratum(
    connection: Connection, dispute: int, given: NewDecision, key_id: int, now: datetime
) -> tuple[Dispute, Job]:
    """Have a worker void or correct the question. The caller commits, and wakes a worker.

    Raises NotFound, Conflict where the dispute is closed or being decided.
    """
    check_open(connection, dispute)
    arguments = {"dispute": dispute, "key_id": key_id, **given.model_dump()}
    job = add_job(connection, "erratum", arguments, key_id, now)
    return read_whole(connection, dispute), job
