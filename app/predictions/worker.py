"""The engine of a worker: claims batches, works their questions concurrently, closes them; until none is waiting.

One event loop. Runs with an endpoint and runs without one have a queue and slots of their own, so that a slow endpoint
keeps no others waiting. Reads runs and questions; writes through the ledger. Invariant: a batch that may kill workers
is worked with nothing beside it.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import uvloop
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import Fenced, ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Settings
from app.db.outages import first_line, will_pass
from app.predictions.accounts import Halted
from app.predictions.episodes import Episodes
from app.predictions.leases import Claimable, Lease, claim
from app.predictions.ledger import Ledger
from app.predictions.resources import WorkerResources
from app.predictions.run_context import Item, RunContext, load_items, open_run
from app.predictions.runs import finish_if_done
from app.predictions.toolbox import Stopped
from app.predictions.units import Kind, Write

logger = get_logger(__name__)
T = TypeVar("T")
PATIENCE_AT_THE_END = 10.0
"""Seconds that a worker which is to end waits for a database that is away."""
LOOK_FOR_OWN = 1.0
"""Seconds from one look to the next of a worker that is kept to one run: others may be told of its batches."""


@dataclass
class HeldLease:
    """A lease in hand, how many of its items are still to do, and how many are being done."""

    lease: Lease
    left: int
    busy: int = 0
    lost: bool = False
    run: RunContext | None = None

    @property
    def is_halted(self) -> bool:
        """Whether nothing more of it is to be asked."""
        return self.run is not None and self.run.halt.is_set()


class RunWorker:
    """Works what is waiting. Make one a process; `work` may be called again and again, by one thread at a time."""

    def __init__(
        self,
        database: Engine,
        settings: Settings,
        clock: Clock,
        owner: str,
        on_finished: Callable[[int], None],
        on_stored: Callable[[int, int | None], None] = lambda run_id, left: None,
        on_outage: Callable[[], None] = lambda: None,
        linger: float = 0.0,
        only_run: int | None = None,
    ) -> None:
        self._database = database
        self._settings = settings
        self._linger = linger
        self._only_run = only_run
        self._clock = clock
        self._owner = owner
        self._on_finished = on_finished
        self._on_stored = on_stored
        self._on_outage = on_outage
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = False

    def work(self) -> None:
        """Work until nothing has been waiting for `linger` seconds, or `stop` was called.

        Who lingers keeps connections open and all else ready for the next run. A worker for one run alone stays until
        `stop`.
        """
        uvloop.run(self._work())

    def stop(self) -> None:
        """Ask nothing more: what is in flight is finished, the rest handed back. From any thread."""
        self._stopping = True
        self._signal(self._begin_stop)

    def look_again(self) -> None:
        """There may be more to do. From any thread."""
        self._signal(self._note_change)

    def _note_change(self) -> None:
        self._changed.set()

    def _signal(self, call: Callable[[], object]) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(call)

    async def _work(self) -> None:
        if self._stopping:
            return
        self._stop = asyncio.Event()
        self._changed = asyncio.Event()
        self._held: dict[int, HeldLease] = {}
        self._runs: dict[int, RunContext] = {}
        self._may_wait = True
        # A queue holds one batch more than its slots can work: `_feed` looks before it claims.
        self._items: Mapping[bool, asyncio.Queue[Item | None]] = {
            calls_endpoint: asyncio.Queue() for calls_endpoint in (False, True)
        }
        self._uncommitted = asyncio.Semaphore(self._settings.concurrency)
        self._ledger = Ledger(
            self._database,
            self._clock,
            self._settings.lease_seconds,
            self._lose,
            self._halt,
            self._on_outage,
        )
        self._resources = WorkerResources(self._settings)
        self._episodes = Episodes(self._ledger, self._clock)
        self._loop = asyncio.get_running_loop()
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                group.create_task(self._feed())
                for items in self._items.values():
                    for _ in range(self._settings.concurrency):
                        group.create_task(self._slot(items))
            await self._hand_back()
        finally:
            self._loop = None
            self._ledger.give_up()
            await self._ledger.close()
            await self._resources.close()

    async def _feed(self) -> None:
        """Claim batches while there are some, and put their questions before the slots."""
        while not self._is_stopping():
            self._changed.clear()
            held = await self._claim(suspects=not self._held)
            if held is not None:
                await self._queue_items(held)
                while held.lease.is_suspect and held.lease.batch_id in self._held and not self._is_stopping():
                    await self._wait_for_change()
            elif self._held:
                await self._wait_for_change()
            elif not await self._is_called_again():
                break
        for items in self._items.values():
            for _ in range(self._settings.concurrency):
                items.put_nowait(None)

    def _is_stopping(self) -> bool:
        if self._stopping and not self._stop.is_set():
            self._begin_stop()
        return self._stop.is_set()

    def _begin_stop(self) -> None:
        self._stop.set()
        for run in self._runs.values():
            run.halt.set()
        self._changed.set()
        if self._loop is not None:
            self._loop.call_later(PATIENCE_AT_THE_END, self._ledger.give_up)

    async def _wait_for_change(self) -> None:
        await self._changed.wait()
        self._changed.clear()

    async def _is_called_again(self) -> bool:
        """Whether there is a word of more to do before we have lingered long enough."""
        # What changed while we looked for a batch may have made a place for one; a wait of no time would not see it.
        if self._changed.is_set():
            return True
        try:
            await asyncio.wait_for(
                self._changed.wait(), self._linger if self._only_run is None else LOOK_FOR_OWN
            )
        except TimeoutError:
            return self._only_run is not None
        return True

    async def _claim(self, *, suspects: bool) -> HeldLease | None:
        seconds = self._settings.lease_seconds
        open_kinds = [kind for kind, items in self._items.items() if self._has_place(items)]
        if not open_kinds:
            return None
        wanted = Claimable(suspects, open_kinds, self._only_run)
        lease = await self._patiently(
            lambda connection: claim(connection, self._owner, self._clock.now(), seconds, wanted)
        )
        # Where one queue had no place, batches of its runs may wait all the same: these runs are kept.
        self._may_wait = lease is not None or len(open_kinds) < len(self._items)
        if lease is not None or not self._may_wait:
            self._drop_runs(lease)
        if lease is None:
            return None
        held = HeldLease(lease, left=0)
        self._held[lease.batch_id] = held
        self._ledger.hold(lease)
        return held

    def _drop_runs(self, next_lease: Lease | None) -> None:
        """Let go of runs that are worked no further: who takes one up again reads what was changed.

        Where the next batch is of the same run, its context stays, with the failures that were counted in it.
        """
        for run_id in self._runs.keys() - ({next_lease.run_id} if next_lease else set()):
            if not self._has_more_of(run_id):
                self._runs.pop(run_id).halt.set()

    async def _queue_items(self, held: HeldLease) -> None:
        run = await self._open_run(held.lease.run_id)
        items = (
            await self._patiently(lambda connection: load_items(connection, run, held.lease)) if run else None
        )
        if run is None or items is None:
            return
        held.run, held.left = run, len(items)
        if not items:
            await self._close(held, run)
        for item in items:
            self._items[held.lease.calls_endpoint].put_nowait(item)
        if held.is_halted and held.busy == 0 and held.left:
            await self._give_back(held)

    async def _open_run(self, run_id: int) -> RunContext | None:
        if run_id not in self._runs:
            run = await self._patiently(lambda connection: open_run(connection, run_id, self._settings))
            if run is None:
                return None
            run.fill_toolbox(self._resources)
            self._runs[run_id] = run
            if self._stop.is_set():
                run.halt.set()
        return self._runs[run_id]

    async def _patiently(self, work: Callable[[Connection], T]) -> T | None:
        """Do `work` in its own transaction, waiting while the database is away; None where we are to stop first."""
        delay = 0.1
        while not self._is_stopping():
            try:
                return await asyncio.to_thread(self._in_transaction, work)
            except DBAPIError as error:
                if not will_pass(error):
                    raise
                self._on_outage()
                logger.warning("waiting for the database", reason=first_line(error), wait=delay)
            try:
                await asyncio.wait_for(self._stop.wait(), delay)
            except TimeoutError:
                delay = min(2.0, delay * 2)
        return None

    def _in_transaction(self, work: Callable[[Connection], T]) -> T:
        with self._database.begin() as connection:
            return work(connection)

    def _has_place(self, items: asyncio.Queue[Item | None]) -> bool:
        """Whether another batch is to be claimed, so that no slot stands idle while it is read."""
        return items.qsize() <= self._settings.concurrency

    async def _slot(self, items: asyncio.Queue[Item | None]) -> None:
        while (item := await items.get()) is not None:
            if items.qsize() == self._settings.concurrency:
                self._changed.set()
            held = self._held.get(item.lease.batch_id)
            if held is None or held.lease is not item.lease or held.lost or item.run.halt.is_set():
                continue
            held.busy += 1
            end = await self._work_item(item)
            if end is None:
                await self._set_down(held)
                continue
            # The next question is asked meanwhile: its first step is committed behind, or together with, this end.
            await self._uncommitted.acquire()
            self._group.create_task(self._conclude(held, item, end))

    async def _work_item(self, item: Item) -> asyncio.Future[None] | None:
        """The commit of an item's end; None where it goes on elsewhere, or later."""
        try:
            return await self._episodes.work(item)
        except DBAPIError as error:
            return self._refuse(item, error)
        except Fenced:
            self._lose(item.lease.batch_id)
        except Halted:
            self._halt(item.run.run_id)
        except (Stopped, ServiceUnavailable):
            pass
        return None

    async def _conclude(self, held: HeldLease, item: Item, end: asyncio.Future[None]) -> None:
        """Count an item as done when its prediction is committed; close its batch after the last one."""
        try:
            try:
                await end
            except DBAPIError as error:
                await self._refuse(item, error)
            held.left -= 1
            self._on_stored(item.run.run_id, self._left_of(item.run.run_id))
        except Fenced:
            self._lose(item.lease.batch_id)
        except ServiceUnavailable:
            logger.warning("an answer is left to be asked for again", batch=item.lease.batch_id)
        finally:
            self._uncommitted.release()
        await self._set_down(held)

    async def _set_down(self, held: HeldLease) -> None:
        """One of its items is in hand no more: close a batch that is done, hand a halted one back."""
        held.busy -= 1
        if held.run is not None and held.left == 0 and not held.lost:
            await self._close(held, held.run)
        elif held.is_halted and held.busy == 0 and not held.lost:
            await self._give_back(held)

    def _refuse(self, item: Item, error: DBAPIError) -> asyncio.Future[None]:
        """The end of an item of which a row cannot be stored."""
        reason = first_line(error)
        logger.error("a row cannot be stored", run=item.run.run_id, question=item.question.id, exc_info=error)
        return self._episodes.give_up(item, f"what came back cannot be stored: {reason}")

    async def _close(self, held: HeldLease, run: RunContext) -> None:
        """All of the batch is predicted: close it, and the run if it was the last; it is not while we hold another."""
        try:
            await self._ledger.write(held.lease, [close_batch("done")])
        except (Fenced, ServiceUnavailable):
            self._lose(held.lease.batch_id)
            return
        self._forget(held.lease)
        if self._has_more_of(run.run_id):
            return
        now = self._clock.now()
        if await self._patiently(lambda connection: finish_if_done(connection, run.run_id, now)):
            self._runs.pop(run.run_id, None)
            await asyncio.to_thread(self._on_finished, run.run_id)

    def _halt(self, run_id: int) -> None:
        """The run is paused or cancelled: finish what is in flight, and hand its batches back."""
        run = self._runs.pop(run_id, None)
        if run is None or self._stop.is_set():
            return
        logger.info("run halted", run=run_id)
        run.halt.set()
        for held in self._held.values():
            if held.run is run and held.busy == 0 and held.left:
                self._group.create_task(self._give_back(held))

    def _lose(self, batch_id: int) -> None:
        held = self._held.get(batch_id)
        if held is not None:
            logger.warning("lease lost", batch=batch_id, run=held.lease.run_id)
            held.lost = True
            self._forget(held.lease)

    def _forget(self, lease: Lease) -> None:
        self._ledger.drop(lease)
        self._held.pop(lease.batch_id, None)
        self._changed.set()

    def _left_of(self, run_id: int) -> int | None:
        """How many answers are still to be stored of a run of which nothing waits any more; None where batches may."""
        if self._may_wait:
            return None
        return sum(held.left for held in self._held.values() if held.lease.run_id == run_id)

    def _has_more_of(self, run_id: int) -> bool:
        return any(held.lease.run_id == run_id for held in self._held.values())

    async def _hand_back(self) -> None:
        """At the end: leases in hand go back to waiting, without a death on their account."""
        for held in list(self._held.values()):
            await self._give_back(held)

    async def _give_back(self, held: HeldLease) -> None:
        if held.lost:
            return
        held.lost = True
        try:
            await self._ledger.write(held.lease, [close_batch("waiting")])
        except (Fenced, ServiceUnavailable):
            logger.warning("lease left to expire", batch=held.lease.batch_id)
        self._forget(held.lease)


def close_batch(state: str) -> Write:
    """The write that ends a lease: `done`, or `waiting` again."""
    return Write(Kind.ENDED, {"state": state})
