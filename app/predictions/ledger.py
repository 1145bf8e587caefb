"""The writer of a worker: commits steps and predictions in groups, each unit whole or not at all, under its lease.

One thread, one connection. Many calls in flight share a transaction, so that commits do not limit the pace. Invariant:
a unit is written only if, in the same transaction, its batch is still leased to us; else its future gets Fenced.
Writes can be repeated, so a commit whose fate is unknown (the connection broke) is tried again.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, TextClause, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from app.core.clock import Clock
from app.core.errors import Fenced, ServiceUnavailable
from app.core.log import get_logger
from app.predictions import queries
from app.predictions.leases import Lease, guard, renew

logger = get_logger(__name__)
GROUP = 256
ORDER = (queries.CLOSE_STEP, queries.INSERT_PREDICTION, queries.INSERT_SENT_STEP, queries.CLOSE_BATCH)
_IDLE_LIMIT = text("select set_config('idle_in_transaction_session_timeout', :limit, false)")


class Write(NamedTuple):
    """One row to write: a statement of ORDER and its binds."""

    statement: TextClause
    values: dict[str, Any]


@dataclass
class Unit:
    """Rows that are committed together or not at all."""

    lease: Lease
    writes: list[Write]
    future: asyncio.Future[None]


class Ledger:
    """Hand it units; it commits them. Start and close it from the event loop that awaits them."""

    def __init__(
        self, database: Engine, clock: Clock, lease_seconds: float, on_lost: Callable[[int], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._on_lost = on_lost
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
        """Commit `writes`; raises Fenced where the lease passed to another, DBAPIError where a row cannot be stored."""
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
        renew_every = self._lease_seconds / 3
        renew_at = time.monotonic() + renew_every
        closing = False
        while not closing:
            units, closing = self._take(max(0.0, renew_at - time.monotonic()))
            if units:
                self._commit(units)
            if time.monotonic() >= renew_at:
                self._renew()
                renew_at = time.monotonic() + renew_every
        self._disconnect()

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
            lost = self._persist(lambda connection: _write_group(connection, units))
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
            if unit.lease.batch_id in lost
        }
        self._settle(units, fenced)

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
            ours = self._persist(
                lambda connection: renew(connection, held, self._clock.now(), self._lease_seconds)
            )
        except ServiceUnavailable:
            return
        for lease in held:
            if lease.batch_id not in ours:
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._on_lost, lease.batch_id)

    def _persist(self, work: Callable[[Connection], set[int]]) -> set[int]:
        """Do `work` in one transaction, as often as the database goes away in it.

        Raises DBAPIError for what no repetition heals, ServiceUnavailable when told to give up.
        """
        delay = 0.1
        while True:
            try:
                connection = self._connect()
                result = work(connection)
                connection.commit()
                return result
            except DBAPIError as error:
                broken = isinstance(error, OperationalError | InterfaceError) or error.connection_invalidated
                self._disconnect()
                if not broken:
                    raise
                logger.warning("database away", reason=str(error.orig).strip().partition("\n")[0], wait=delay)
                if self._give_up.wait(delay):
                    raise ServiceUnavailable(
                        "PostgreSQL does not answer; what was in flight is asked again."
                    ) from error
                delay = min(2.0, delay * 2)

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


def _write_group(connection: Connection, units: list[Unit]) -> set[int]:
    """Write the units whose leases hold; the ids of the batches that are no longer ours."""
    leases = {unit.lease.batch_id: unit.lease for unit in units}
    ours = guard(connection, leases.values())
    for statement in ORDER:
        rows = [
            write.values
            for unit in units
            if unit.lease.batch_id in ours
            for write in unit.writes
            if write.statement is statement
        ]
        if rows:
            connection.execute(statement, rows)
    return leases.keys() - ours
