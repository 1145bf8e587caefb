"""What one worker process holds: its engine of connections, its worker of runs, its sweeper; made when first needed.

Invariant: at most one worker of runs works at a time in a process; a message that finds it working makes it look again.
"""

import os
import socket
import sys
import threading
from typing import Any

from celery import Celery
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from sqlalchemy import Engine

from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.core.memory import keep_for_good
from app.core.settings import Role, Settings
from app.db.clock import ServerClock
from app.db.engine import make_engine
from app.db.pools import WORKER_OVERFLOW, WORKER_POOL
from app.db.presence import Presence
from app.predictions.messages import SCORE, Messenger
from app.predictions.worker import RunWorker
from workers.forerunner import Forerunner
from workers.sweeper import Patience, Sweeper

logger = get_logger(__name__)
TURN_SECONDS = 0.002
"""How long a thread that computes keeps others waiting, less than half of the usual: judging must not hold up calls.

Shorter turns cost more than they gain: `scripts/bench-runs --only warm` shows it for a quarter of this.
"""
LINGER_SECONDS = 5.0
"""How long connections to endpoints and to the database are kept when nothing is waiting: a next run begins sooner."""


class Process:
    """The state of this process. Only the first use connects to anything."""

    def __init__(self, celery: Celery, settings: Settings) -> None:
        self.settings = settings
        self.clock = ServerClock()
        self.owner = f"{socket.gethostname()}:{os.getpid()}"
        self.messenger = Messenger(celery)
        self.patience = Patience(settings.lease_seconds)
        self._lock = threading.Lock()
        self._database: Engine | None = None
        self._run_worker: RunWorker | None = None
        self._again = False
        self._stopped = False
        self._only_run: int | None = None
        self._own: threading.Thread | None = None
        self._sweeper: Sweeper | None = None
        self._forerunner = Forerunner(settings)
        self._presence = Presence(settings)

    @property
    def database(self) -> Engine:
        """The engine of the worker's role."""
        with self._lock:
            if self._database is None:
                self._database = make_engine(
                    self.settings, Role.WORKER, WORKER_POOL, self.settings.lease_seconds, WORKER_OVERFLOW
                )
            return self._database

    def keep_to(self, run_id: int) -> None:
        """Work no questions but those of one run, from the start on: messages may reach another worker."""
        self._only_run = run_id

    def work(self) -> None:
        """Work what is waiting; where another thread does so already, have it look again and return."""
        database = self.database
        with self._lock:
            if self._stopped:
                return
            self._again = True
            if self._run_worker is not None:
                self._run_worker.look_again()
                return
            run_worker = RunWorker(
                database,
                self.settings,
                self.clock,
                self.owner,
                self.announce_finished,
                self._forerunner.look,
                self.patience.begin,
                LINGER_SECONDS,
                self._only_run,
            )
            self._run_worker = run_worker
        self.clock.read(database)
        try:
            while self._take_turn():
                run_worker.work()
        finally:
            with self._lock:
                if self._run_worker is run_worker:
                    self._run_worker = None

    @property
    def is_stopping(self) -> bool:
        """Whether nothing new is to be begun, and what can be handed back is."""
        return self._stopped

    def _take_turn(self) -> bool:
        """Whether somebody has asked for work since the last turn."""
        with self._lock:
            again, self._again = self._again and not self._stopped, False
            if not again:
                self._run_worker = None
            return again

    def announce_finished(self, run_id: int) -> None:
        """Have a run scored, here or by whoever hears of it; where neither is possible, a sweep asks later."""
        if self._forerunner.finish(run_id):
            return
        try:
            self.messenger.send(SCORE, run_id)
        except ServiceUnavailable as error:
            logger.warning("scores not asked for yet", run=run_id, reason=str(error))

    def start_threads(self) -> None:
        """Be known to live, sweep, and judge ahead, in threads of their own from now on."""
        sys.setswitchinterval(TURN_SECONDS)
        keep_for_good()
        self._presence.start()
        self._forerunner.start()
        if self._only_run is not None:
            self._own = threading.Thread(target=self.work, name="only-run", daemon=True)
            self._own.start()
        self._sweeper = Sweeper(self.settings, self.clock, self.messenger, self.patience)
        self._sweeper.start()

    def stop(self) -> None:
        """Finish what is in flight, hand the rest back."""
        with self._lock:
            self._stopped = True
            run_worker = self._run_worker
        if run_worker is not None:
            run_worker.stop()

    def close(self) -> None:
        """Stop sweeping, let the connections go, and be known to live no more.

        Celery has waited for its own tasks; the thread of an only run is no task, and its calls in flight are paid for.
        """
        if self._own is not None:
            self._own.join()
        self._presence.stop()
        if self._sweeper is not None:
            self._sweeper.stop()
            self._forerunner.stop()
        if self._database is not None:
            self._database.dispose()


_here: Process | None = None


def attach(celery: Celery, settings: Settings) -> Process:
    """Make this process's state and tie it to Celery's signals."""
    global _here
    process = _here = Process(celery, settings)

    def on_ready(**_: Any) -> None:
        process.start_threads()

    def on_stopping(**_: Any) -> None:
        process.stop()

    def on_stopped(**_: Any) -> None:
        process.close()

    worker_ready.connect(on_ready, weak=False)
    worker_shutting_down.connect(on_stopping, weak=False)
    worker_shutdown.connect(on_stopped, weak=False)
    return process


def here() -> Process:
    """This process's state. Raises RuntimeError outside a worker."""
    if _here is None:
        raise RuntimeError("workers.app has not been imported: this is no worker process")
    return _here
