"""The writer of a worker: commits steps and predictions in groups, each unit whole or not at all, under its lease.

One thread, one connection. Many calls in flight share a transaction, so that commits do not limit the pace. Invariant:
a unit is written only if, in the same transaction, its batch is still leased to us; else its future gets Fenced.
A commit whose fate is unknown (the connection broke) is tried again unless its steps are there: accounts are added to.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, TextClause, text
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import Fenced, ServiceUnavailable
from app.core.identity import canonical_json
from app.core.log import get_logger
from app.db.outages import first_line, will_pass
from app.predictions import queries_control, queries_ledger, queries_reuse
from app.predictions.accounts import Entry, Halted, NoRoom, halted_runs, keep_account
from app.predictions.leases import Lease, guard, renew

T = TypeVar("T")
logger = get_logger(__name__)
GROUP = 12
"""Units in one transaction. Where all calls in flight wait for one commit, they leave and come back together, and the
endpoint idles meanwhile; fewer leave sooner, and spread. `scripts/bench-runs --only warm` shows it: 4, 8 to 16, 256."""
LONGEST_DELAY = 2.0
"""Seconds between two tries while the database is away; a quarter of a lease at most, for which sweepers wait."""
BEFORE = (queries_ledger.CLOSE_STEP, queries_reuse.INSERT_REUSED_STEP, queries_ledger.INSERT_PREDICTION)
AFTER = (queries_ledger.INSERT_SENT_STEP, queries_ledger.CLOSE_BATCH)
"""The order of statements: accounts are kept between the two."""
_IDLE_LIMIT = text("select set_config('idle_in_transaction_session_timeout', :limit, false)")


class Write(NamedTuple):
    """One row to write: a statement of BEFORE or AFTER, its binds, and what it adds to its run's account."""

    statement: TextClause
    values: dict[str, Any]
    entry: Entry | None = None

    @property
    def is_call(self) -> bool:
        """Whether a call leaves when this is committed."""
        return self.statement is queries_ledger.INSERT_SENT_STEP


@dataclass
class Unit:
    """Rows that are committed together or not at all; but where its call may not leave, the others are written."""

    lease: Lease
    writes: list[Write]
    future: asyncio.Future[None]


class Written(NamedTuple):
    """What became of a group: the batches that are no longer ours, and the units whose call may not leave."""

    lost: set[int]
    refused: dict[int, Exception]


class Ledger:
    """Hand it units; it commits them. Start and close it from the event loop that awaits them."""

    def __init__(
        self,
        database: Engine,
        clock: Clock,
        lease_seconds: float,
        on_lost: Callable[[int], None],
        on_halted: Callable[[int], None] = lambda run_id: None,
        on_outage: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._on_lost = on_lost
        self._on_halted = on_halted
        self._on_outage = on_outage
        self._loop = asyncio.get_running_loop()
        self._units: queue.SimpleQueue[Unit | None] = queue.SimpleQueue()
        self._held: dict[int, Lease] = {}
        self._lock = threading.Lock()
        self._give_up = threading.Event()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)
        self._thread.start()

    def hold(self, lease: Lease) -> None:
        """Renew this lease from now on."""
        with self._lock:
            self._held[lease.batch_id] = lease

    def drop(self, lease: Lease) -> None:
        """Renew it no more."""
        with self._lock:
            self._held.pop(lease.batch_id, None)

    async def write(self, lease: Lease, writes: list[Write]) -> None:
        """Commit `writes`; raises Fenced where the lease passed to another, DBAPIError where a row cannot be stored.

        Raises Halted or NoRoom where a call among them may not leave: then the other writes are committed.
        """
        await self.enter(lease, writes)

    def enter(self, lease: Lease, writes: list[Write]) -> asyncio.Future[None]:
        """Hand `writes` in after all that was before; the future ends as `write` does."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._units.put(Unit(lease, writes, future))
        return future

    def give_up(self) -> None:
        """Wait no longer for a database that is away: units that cannot be written fail. From any thread."""
        self._give_up.set()

    async def close(self) -> None:
        """Write what was handed in, then end the thread."""
        self._units.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        self._plan_renewal()
        closing = False
        while not closing:
            units, closing = self._take(max(0.0, self._renew_at - time.monotonic()))
            if units:
                self._commit(units)
            if time.monotonic() >= self._renew_at:
                self._renew()
                self._plan_renewal()
        self._disconnect()

    def _plan_renewal(self) -> None:
        self._renew_at = time.monotonic() + self._lease_seconds / 3

    def _take(self, longest_wait: float) -> tuple[list[Unit], bool]:
        units: list[Unit] = []
        try:
            unit = self._units.get(timeout=longest_wait)
            while unit is not None:
                units.append(unit)
                if len(units) == GROUP:
                    return units, False
                unit = self._units.get_nowait()
        except queue.Empty:
            return units, False
        return units, True

    def _commit(self, units: list[Unit]) -> None:
        """Commit a group; where a row of it cannot be stored, each unit alone, so that only its own unit fails."""
        try:
            written = self._persist(Group(units).write)
        except DBAPIError as error:
            if len(units) == 1:
                self._settle(units, {id(units[0]): error})
                return
            for unit in units:
                self._commit([unit])
            return
        except ServiceUnavailable as error:
            self._settle(units, dict.fromkeys(map(id, units), error))
            return
        fenced = {
            id(unit): Fenced(f"the lease of batch {unit.lease.batch_id} passed to another worker")
            for unit in units
            if unit.lease.batch_id in written.lost
        }
        self._settle(units, written.refused | fenced)

    def _settle(self, units: list[Unit], errors: dict[int, Any]) -> None:
        def settle() -> None:
            for unit in units:
                if unit.future.done():
                    continue
                error = errors.get(id(unit))
                if error is None:
                    unit.future.set_result(None)
                else:
                    unit.future.set_exception(error)

        # The loop is closed when the worker ends while we wait for a database that is away.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(settle)

    def _renew(self) -> None:
        with self._lock:
            held = list(self._held.values())
        if not held:
            return
        try:
            ours, halted = self._persist(
                lambda connection: (
                    renew(connection, held, self._clock.now(), self._lease_seconds),
                    halted_runs(connection, {lease.run_id for lease in held}),
                )
            )
        except ServiceUnavailable:
            return
        for run_id in halted:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._on_halted, run_id)
        for lease in held:
            if lease.batch_id not in ours:
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._on_lost, lease.batch_id)

    def _keep_leases(self, connection: Connection) -> None:
        """Renew what is held where that is due: a write that fails again and again, on a full disk, costs no lease."""
        if time.monotonic() < self._renew_at:
            return
        with self._lock:
            held = list(self._held.values())
        renew(connection, held, self._clock.now(), self._lease_seconds)
        connection.commit()
        self._plan_renewal()

    def _persist(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in one transaction, as often as the database goes away in it.

        Raises DBAPIError for what no repetition heals, ServiceUnavailable when told to give up.
        """
        delay, tried = 0.1, False
        while True:
            try:
                connection = self._connect()
                if tried:
                    self._keep_leases(connection)
                result = work(connection)
                connection.commit()
                return result
            except DBAPIError as error:
                self._disconnect()
                if not will_pass(error):
                    raise
                tried = True
                self._on_outage()
                logger.warning("waiting for the database", reason=first_line(error), wait=delay)
                if self._give_up.wait(delay):
                    raise ServiceUnavailable(
                        "PostgreSQL does not answer; what was in flight is asked again."
                    ) from error
                delay = min(LONGEST_DELAY, self._lease_seconds / 4, delay * 2)

    def _connect(self) -> Connection:
        if self._connection is None:
            connection = self._database.connect()
            # A worker that stands still inside a transaction must not hold its batch for ever.
            connection.execute(_IDLE_LIMIT, {"limit": str(max(1, int(self._lease_seconds * 1000)))})
            connection.commit()
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(DBAPIError):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None


class Group:
    """Units that are committed together, once, however often their commit is tried."""

    STEP = ("run_id", "question_revision", "presentation_key", "repeat", "ordinal", "attempt")

    def __init__(self, units: list[Unit]) -> None:
        self._units = units
        self._tried: Written | None = None

    def write(self, connection: Connection) -> Written:
        """Write what is not written yet; the caller commits."""
        if self._tried is None or not self._is_written(connection):
            self._tried = _write_group(connection, self._units)
        return self._tried

    def _is_written(self, connection: Connection) -> bool:
        """Whether an earlier try was committed after all; waits for one that is still under way."""
        entered = [write for unit in self._units for write in unit.writes if write.entry is not None]
        steps = [
            {name: write.values[name] for name in self.STEP} | {"is_call": write.is_call} for write in entered
        ]
        runs = sorted({unit.lease.run_id for unit in self._units})
        connection.execute(queries_control.LOCK_ACCOUNTS, {"run_ids": runs})
        written = connection.execute(queries_control.ANY_IS_WRITTEN, {"writes": canonical_json(steps)})
        return bool(written.scalar_one())


def _write_group(connection: Connection, units: list[Unit]) -> Written:
    """Write the units whose leases hold, but for the calls that may not leave."""
    leases = {unit.lease.batch_id: unit.lease for unit in units}
    ours = guard(connection, leases.values())
    held = [unit for unit in units if unit.lease.batch_id in ours]
    _write(connection, BEFORE, [write for unit in held for write in unit.writes])
    refused = _keep_accounts(connection, held)
    _write(
        connection,
        AFTER,
        [write for unit in held for write in unit.writes if not (write.is_call and id(unit) in refused)],
    )
    return Written(leases.keys() - ours, refused)


def _write(connection: Connection, statements: tuple[TextClause, ...], writes: list[Write]) -> None:
    for statement in statements:
        rows = [write.values for write in writes if write.statement is statement]
        if rows:
            connection.execute(statement, rows)


def _keep_accounts(connection: Connection, units: list[Unit]) -> dict[int, Exception]:
    """Add to the accounts of the units' runs; why units' calls may not leave, by the unit's id."""
    refused: dict[int, Exception] = {}
    for run_id in sorted({unit.lease.run_id for unit in units}):
        of_run = [unit for unit in units if unit.lease.run_id == run_id]
        entered = [(unit, write) for unit in of_run for write in unit.writes if write.entry is not None]
        if not entered:
            continue
        entries = [write.entry for _, write in entered if write.entry and not write.is_call]
        calls = [(unit, write.entry.reserved) for unit, write in entered if write.entry and write.is_call]
        verdicts = keep_account(connection, run_id, entries, [call for _, call in calls])
        for (unit, _), verdict in zip(calls, verdicts, strict=True):
            if verdict != "go":
                refused[id(unit)] = Halted() if verdict == "halt" else NoRoom()
    return refused
