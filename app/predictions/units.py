"""Units: rows that are written together or not at all, and how a group of them is written, under their leases.

One statement, which may be repeated: where the connection broke while it was committed, nobody need know its fate.
Invariant: a unit is written only if, in the same transaction, its batch is still leased to us.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import Fenced
from app.inference.tokens import Tokens
from app.predictions import queries_control
from app.predictions import queries_writing as queries
from app.predictions.accounts import LIVE, Halted, OverBudget, verdicts_on
from app.predictions.leases import Lease, guard

_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=datetime.isoformat)


class Kind(StrEnum):
    """What a row says; each kind is a bind of `queries_writing.WRITE_UNITS`, where its columns stand."""

    CLOSED = "closed"
    WHOLE = "whole"
    PREDICTED = "predicted"
    SENT = "sent"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"


class Write(NamedTuple):
    """One row: a call that ended, is stored whole, is to leave or never left; a prediction; the end of a lease.

    Batch and token are the unit's lease's.
    """

    kind: Kind
    values: dict[str, Any]


class Unit(NamedTuple):
    """Rows that are committed together or not at all; but where its call may not leave, the others are written."""

    lease: Lease
    writes: Sequence[Write]

    @property
    def call(self) -> dict[str, Any] | None:
        """The call that leaves when this is committed, if there is one."""
        return next((write.values for write in self.writes if write.kind is Kind.SENT), None)


Refused = dict[int, Exception]
"""By a unit's place: why it is not written (Fenced), or why its call may not leave (Halted, OverBudget)."""


def make_ready(connection: Connection) -> None:
    """Have a connection that commits each statement by itself plan `write_units` once alone, when it is first used."""
    connection.execute(queries.BY_KEYS_ALONE, {"in_transaction": False})
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.prepare_threshold = 0


def plan_ahead(connection: Connection) -> None:
    """Use it for nothing, so that nobody waits for the plan."""
    connection.execute(queries.WRITE_UNITS, _binds([]))


def write_units(connection: Connection, units: Sequence[Unit]) -> Refused:
    """Write and commit the units whose leases hold, but for the calls that may not leave.

    `connection` commits each statement by itself. Calls of runs with a budget, and of those that stand still, are
    decided upon afterwards, in a transaction of another connection.
    """
    held = {(row.id, row.token): row for row in connection.execute(queries.WRITE_UNITS, _binds(units))}
    refused: Refused = {}
    undecided: dict[int, dict[int, Unit]] = {}
    for place, unit in enumerate(units):
        account = held.get((unit.lease.batch_id, unit.lease.token))
        if account is None:
            refused[place] = _fenced(unit)
        elif unit.call is not None and not account.lets_go:
            undecided.setdefault(unit.lease.run_id, {})[place] = unit
    for run_id, of_run in sorted(undecided.items()):
        with connection.engine.begin() as other:
            refused |= _admit(other, run_id, of_run)
    return refused


def _admit(connection: Connection, run_id: int, units: Mapping[int, Unit]) -> Refused:
    """Store those calls of the units that the run, by its state and its budget, lets go; the caller commits.

    A run whose budget has no room for a call even when nothing is in flight is paused.
    """
    connection.execute(queries.BY_KEYS_ALONE, {"in_transaction": True})
    ours = guard(connection, [unit.lease for unit in units.values()])
    account = connection.execute(queries.LOCK_ACCOUNT, {"run_id": run_id}).one()
    calls = {
        place: unit.call
        for place, unit in units.items()
        if unit.call is not None and unit.lease.batch_id in ours
    }
    for place in _stored(connection, calls):
        del calls[place]
    wanted = [Tokens(call["reserved_prompt"], call["reserved_completion"]) for call in calls.values()]
    verdicts = dict(zip(calls, verdicts_on(account, wanted), strict=True))
    admitted = [
        Unit(units[place].lease, [Write(Kind.SENT, call)])
        for place, call in calls.items()
        if verdicts[place] == "go"
    ]
    connection.execute(queries.WRITE_UNITS, _binds(admitted, admitted=True))
    if account.status in LIVE and "halt" in verdicts.values():
        connection.execute(queries_control.PAUSE_FOR_BUDGET, {"run_id": run_id})
    refused: Refused = {
        place: _fenced(unit) for place, unit in units.items() if unit.lease.batch_id not in ours
    }
    for place, verdict in verdicts.items():
        if verdict != "go":
            refused[place] = Halted() if verdict == "halt" else OverBudget()
    return refused


def _stored(connection: Connection, calls: Mapping[int, Mapping[str, Any]]) -> Sequence[int]:
    """The places of those calls that an earlier try has stored."""
    rows = [{**call, "place": place} for place, call in calls.items()]
    return connection.execute(queries.STORED_CALLS, {"sent": _JSON.encode(rows)}).scalars().all()


def _fenced(unit: Unit) -> Fenced:
    return Fenced(f"the lease of batch {unit.lease.batch_id} passed to another worker")


def _binds(units: Sequence[Unit], *, admitted: bool = False) -> dict[str, Any]:
    leases = {(unit.lease.batch_id, unit.lease.token) for unit in units}
    rows: dict[str, list[dict[str, Any]]] = {kind: [] for kind in Kind}
    rows["leases"] = [{"id": batch_id, "token": token} for batch_id, token in leases]
    for unit in units:
        under = {"batch_id": unit.lease.batch_id, "token": unit.lease.token}
        for write in unit.writes:
            rows[write.kind].append(write.values | under)
    return {"admitted": admitted, **{name: _JSON.encode(values) for name, values in rows.items()}}
