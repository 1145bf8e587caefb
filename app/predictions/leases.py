"""Leases: a batch belongs to one worker until its deadline; a fencing token tells an old holder from a new one.

Invariant: whoever writes under a lease has checked, in the same transaction, that batch and token are still its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.predictions import queries_ledger

SUSPECT_FROM = 2
"""Leases that must have expired before a batch's questions are worked one at a time, with nothing beside them."""
DEATHS = 3
"""Leases that may expire over a question before it counts as the cause and becomes an error."""


@dataclass(frozen=True)
class Lease:
    """A batch held by this worker. `attempt` is how many leases over it have expired, `deadline` its first one."""

    batch_id: int
    run_id: int
    question_ids: list[str]
    token: int
    attempt: int
    deadline: datetime

    @property
    def is_suspect(self) -> bool:
        """Whether this batch may be what kills workers."""
        return self.attempt >= SUSPECT_FROM


def claim(
    connection: Connection, owner: str, now: datetime, lease_seconds: float, *, suspects: bool
) -> Lease | None:
    """Lease the next waiting batch, or None; `suspects` allows those to be worked alone. The caller commits."""
    row = connection.execute(
        queries_ledger.CLAIM_BATCH,
        {
            "owner": owner,
            "deadline": now + timedelta(seconds=lease_seconds),
            "suspects": suspects,
            "suspect_from": SUSPECT_FROM,
        },
    ).one_or_none()
    if row is None:
        return None
    connection.execute(queries_ledger.MARK_RUNNING, {"run_id": row.run_id})
    return Lease(row.id, row.run_id, list(row.question_ids), row.fencing_token, row.attempt, row.deadline)


def renew(connection: Connection, leases: Iterable[Lease], now: datetime, lease_seconds: float) -> set[int]:
    """Move the deadlines of `leases`; the ids of the batches that are still ours. The caller commits."""
    held = list(leases)
    rows = connection.execute(
        queries_ledger.RENEW_LEASES,
        {
            "ids": [lease.batch_id for lease in held],
            "tokens": [lease.token for lease in held],
            "deadline": now + timedelta(seconds=lease_seconds),
        },
    )
    return {row.id for row in rows}


def guard(connection: Connection, leases: Iterable[Lease]) -> set[int]:
    """The ids of those batches that are still ours; until the transaction ends, nobody can take them."""
    held = {lease.batch_id: lease.token for lease in leases}
    rows = connection.execute(queries_ledger.GUARD_LEASES, {"ids": sorted(held)})
    return {row.id for row in rows if held[row.id] == row.fencing_token}
