"""Leases: a batch belongs to one worker until its deadline; a fencing token tells an old holder from a new one.

Invariant: whoever writes under a lease has checked, in the same transaction, that batch and token are still its own.
"""

from collections.abc import Iterable, Sequence
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
    """A batch held by this worker. `attempt` is how many leases over it have expired, `deadline` its first one.

    `calls_endpoint` tells whether its run has a model behind an endpoint.
    """

    batch_id: int
    run_id: int
    question_ids: list[str]
    token: int
    attempt: int
    deadline: datetime
    calls_endpoint: bool = False

    @property
    def is_suspect(self) -> bool:
        """Whether this batch may be what kills workers."""
        return self.attempt >= SUSPECT_FROM


@dataclass(frozen=True)
class Claimable:
    """Which batches a worker takes; `suspects` allows those that are to be worked alone.

    `calls_endpoint` names the kinds of runs that it has room for; `only_run` is the run that it is kept to, or None.
    """

    suspects: bool
    calls_endpoint: Sequence[bool] = (False, True)
    only_run: int | None = None


def claim(
    connection: Connection, owner: str, now: datetime, lease_seconds: float, wanted: Claimable
) -> Lease | None:
    """Lease the next waiting batch, or None: first those of runs without an endpoint. The caller commits."""
    row = connection.execute(
        queries_ledger.CLAIM_BATCH,
        {
            "owner": owner,
            "deadline": now + timedelta(seconds=lease_seconds),
            "suspects": wanted.suspects,
            "suspect_from": SUSPECT_FROM,
            "calls_endpoint": list(wanted.calls_endpoint),
            "only_run": wanted.only_run,
        },
    ).one_or_none()
    if row is None:
        return None
    connection.execute(queries_ledger.MARK_RUNNING, {"run_id": row.run_id})
    return Lease(
        row.id,
        row.run_id,
        list(row.question_ids),
        row.fencing_token,
        row.attempt,
        row.deadline,
        row.calls_endpoint,
    )


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
