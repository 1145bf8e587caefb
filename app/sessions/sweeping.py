"""Deletes sessions that have ended and that no submission names. Reads and writes agent_session."""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.sessions import queries

KEPT = timedelta(days=7)
"""How long a session is kept after its end for a submission that names it."""
AT_ONCE = 200


def forget_unused(connection: Connection, now: datetime) -> int:
    """Delete some of them; how many. The caller commits. For any number of processes at once."""
    binds = {"before": now - KEPT, "limit": AT_ONCE}
    return connection.execute(queries.FORGET_UNUSED, binds).rowcount
