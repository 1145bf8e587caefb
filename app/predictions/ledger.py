"""The writer of a worker: commits steps and predictions in groups, each unit whole or not at all, under its lease.

One thread, one connection. Many calls in flight share a commit, so that commits do not limit the pace. A group whose
connection broke is written again, whatever became of it: see `app.predictions.units`.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.db.outages import first_line, will_pass
from app.predictions.accounts import halted_runs
from app.predictions.leases import Lease, renew
from app.predictions.units import Unit, Write, make_ready, plan_ahead, write_units

T = TypeVar("T")
logger = get_logger(__name__)
GROUP = 16
"""Units in one commit. Where all calls in flight wait for one commit, they leave and come back together, and the
endpoint idles meanwhile; fewer leave sooner, and spread. `scripts/bench-runs --only warm` shows it: 4, 8 to 24, 256."""
PORTION = 4
"""Units that go on in one turn of the event loop after a commit: answers that came meanwhile are read between turns."""
SURE_UNTIL = 0.9
"""For this share of a lease its holder takes it for its own without asking; the rest is for clocks that differ."""
LONGEST_DELAY = 2.0
"""Seconds between two tries while the database is away; a quarter of a lease at most, for which sweepers wait."""


class _Entered(NamedTuple):
    """A unit, and the future that ends when it is committed."""

    unit: Unit
    future: asyncio.Future[None]


class _Holding(NamedTuple):
    """A lease that is held, and when it may pass to another unless it is renewed."""

    lease: Lease
    deadline: datetime


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
        self._entered: list[_Entered] = []
        self._units: queue.SimpleQueue[_Entered | None] = queue.SimpleQueue()
        self._held: dict[int, _Holding] = {}
        self._lock = threading.Lock()
        self._give_up = threading.Event()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)
        self._thread.start()

    def hold(self, lease: Lease) -> None:
        """Renew this lease from now on."""
        with self._lock:
            self._held[lease.batch_id] = _Holding(lease, lease.deadline)

    def drop(self, lease: Lease) -> None:
        """Renew it no more."""
        with self._lock:
            self._held.pop(lease.batch_id, None)

    def is_sure_of(self, lease: Lease) -> bool:
        """Whether nobody else can have the lease by now, as far as can be told without asking the database.

        It cannot be told of a lease that was not renewed for long, as when this process, or its host, stood still.
        """
        holding = self._held.get(lease.batch_id)
        if holding is None or holding.lease.token != lease.token:
            return False
        left = holding.deadline - self._clock.now()
        return left > timedelta(seconds=(1 - SURE_UNTIL) * self._lease_seconds)

    async def write(self, lease: Lease, writes: list[Write]) -> None:
        """Commit `writes`; raises Fenced where the lease passed to another, DBAPIError where a row cannot be stored.

        Raises Halted or NoRoom where a call among them may not leave: then the other writes are committed.
        """
        await self.enter(lease, writes)

    def enter(self, lease: Lease, writes: list[Write]) -> asyncio.Future[None]:
        """Hand `writes` in after all that was before; the future ends as `write` does.

        What is entered in one turn of the event loop goes to the thread together: else the end of one question would
        be committed alone, and the call of the next, a moment later, would wait for that.
        """
        future: asyncio.Future[None] = self._loop.create_future()
        if not self._entered:
            self._loop.call_soon(self._hand_over)
        self._entered.append(_Entered(Unit(lease, writes), future))
        return future

    def _hand_over(self) -> None:
        entered, self._entered = self._entered, []
        for unit in entered:
            self._units.put(unit)

    def give_up(self) -> None:
        """Wait no longer for a database that is away: units that cannot be written fail. From any thread."""
        self._give_up.set()

    async def close(self) -> None:
        """Write what was handed in, then end the thread."""
        self._hand_over()
        self._units.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        self._plan_renewal()
        # Ready before the first unit comes; where the database is away, the first unit waits for it.
        with contextlib.suppress(DBAPIError):
            plan_ahead(self._connect())
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

    def _take(self, longest_wait: float) -> tuple[list[_Entered], bool]:
        units: list[_Entered] = []
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

    def _commit(self, units: list[_Entered]) -> None:
        """Commit a group; where a row of it cannot be stored, each unit alone, so that only its own unit fails."""
        try:
            refused = self._persist(
                lambda connection: write_units(connection, [entered.unit for entered in units])
            )
        except DBAPIError as error:
            if len(units) == 1:
                self._settle(units, {0: error})
                return
            for unit in units:
                self._commit([unit])
            return
        except ServiceUnavailable as error:
            self._settle(units, dict.fromkeys(range(len(units)), error))
            return
        self._settle(units, refused)

    def _settle(self, units: Sequence[_Entered], errors: Mapping[int, Exception]) -> None:
        # The loop is closed when the worker ends while we wait for a database that is away.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._settle_from, 0, units, errors)

    def _settle_from(self, start: int, units: Sequence[_Entered], errors: Mapping[int, Exception]) -> None:
        """Let a portion of a group go on, and the next one in the next turn of the event loop."""
        for place, unit in enumerate(units[start : start + PORTION], start):
            if unit.future.done():
                continue
            error = errors.get(place)
            if error is None:
                unit.future.set_result(None)
            else:
                unit.future.set_exception(error)
        if start + PORTION < len(units):
            self._loop.call_soon(self._settle_from, start + PORTION, units, errors)

    def _renew(self) -> None:
        held = self._leases()
        if not held:
            return
        try:
            ours, halted = self._persist(
                lambda connection: (
                    self._renew_held(connection, held),
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
        self._renew_held(connection, self._leases())
        self._plan_renewal()

    def _leases(self) -> list[Lease]:
        with self._lock:
            return [holding.lease for holding in self._held.values()]

    def _renew_held(self, connection: Connection, leases: Sequence[Lease]) -> set[int]:
        """Renew leases at once; the ids of the batches that are still ours."""
        now = self._clock.now()
        ours = renew(connection, leases, now, self._lease_seconds)
        deadline = now + timedelta(seconds=self._lease_seconds)
        with self._lock:
            for lease in leases:
                holding = self._held.get(lease.batch_id)
                if holding is not None and holding.lease is lease and lease.batch_id in ours:
                    self._held[lease.batch_id] = _Holding(lease, deadline)
        return ours

    def _persist(self, work: Callable[[Connection], T]) -> T:
        """Do `work`, again and again while the database goes away in it; what it executes is committed at once.

        Raises DBAPIError for what no repetition heals, ServiceUnavailable when told to give up.
        """
        delay, tried = 0.1, False
        while True:
            try:
                connection = self._connect()
                if tried:
                    self._keep_leases(connection)
                return work(connection)
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
            # A worker that stands still must not do so inside a transaction: it would hold its batch for ever.
            connection = self._database.connect().execution_options(isolation_level="AUTOCOMMIT")
            make_ready(connection)
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(DBAPIError):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None
