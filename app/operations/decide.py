"""Deciding a dispute: it is rejected, or its question is voided or corrected in a new version."""

from app.access.audit import Actor
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.disputes.deciding import Decided, decide
from app.disputes.models import NewDecision


def decide_dispute(settings: Settings, dispute: int, given: NewDecision, actor: Actor) -> Decided:
    """Decide an open dispute and commit. Raises NotFound, Conflict where it is closed or nothing can be put right."""
    with connect(settings, Role.WORKER) as connection:
        decided = decide(connection, dispute, given, actor, SystemClock())
        connection.commit()
    return decided
