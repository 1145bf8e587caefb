"""The thread that judges stored answers while their run goes on, and scores the run when this process has finished it.

What it misses, or cannot do, the task of scoring does: a sweep asks for that.
"""

import threading
import time
from collections import deque
from collections.abc import Callable

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.core.errors import TrigpointError
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.db.outages import will_pass
from app.operations.score import score_finished_run
from app.scores.ahead import Ahead, open_ahead
from app.scores.grounds import Grounds

logger = get_logger(__name__)
KEEP_SECONDS = 60.0
"""How long a run's questions are kept in memory while no answers to them come, of this run or another."""
PACE = 0.25
"""Seconds from one look at stored answers to the next: each costs statements, however few answers it finds."""
FEW = 64
"""So many answers before the end more is judged before it, and does not hold up the board …"""
PACE_NEAR_END = 0.03
"""… with so many seconds from look to look; after the last answer there is none to wait for."""


class Forerunner(threading.Thread):
    """Judges ahead for one run at a time, the one that was looked at last; never fails."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(name="forerunner", daemon=True)
        self._settings = settings
        self._changed = threading.Condition()
        self._wanted: int | None = None
        self._finished: deque[int] = deque()
        self._stopped = False
        self._ahead: Ahead | None = None
        self._grounds: Grounds | None = None
        self._refused: int | None = None
        self._rests_until = 0.0

    def look(self, run_id: int, left: int | None = None) -> None:
        """More of the run's answers are stored; `left` are still to come, where that is known. From any thread."""
        rest = PACE if left is None or left > FEW else PACE_NEAR_END if left else 0.0
        until = time.monotonic() + rest
        with self._changed:
            is_sooner = until < self._rests_until
            if is_sooner:
                self._rests_until = until
            if is_sooner or self._wanted != run_id:
                self._wanted = run_id
                self._changed.notify()

    def finish(self, run_id: int) -> bool:
        """Have a finished run scored; False where this thread does not run. From any thread."""
        with self._changed:
            if not self.is_alive() or self._stopped:
                return False
            self._finished.append(run_id)
            if self._wanted == run_id:
                self._wanted = None
            self._changed.notify()
            return True

    def run(self) -> None:
        """Judge whenever something was stored, score whatever is finished, until stopped."""
        database = make_engine(self._settings, Role.WORKER, pool_size=1)
        while self._wait():
            with self._changed:
                finished = self._finished.popleft() if self._finished else None
                wanted, self._wanted = (self._wanted, None) if finished is None else (None, self._wanted)
            if finished is not None:
                self._attempt(database, finished, self._score, "not scored yet")
                self._ahead = None
            elif wanted is not None and wanted != self._refused:
                self._rests_until = time.monotonic() + PACE
                self._attempt(database, wanted, self._judge, "not judged ahead")
        database.dispose()

    def _wait(self) -> bool:
        """Wait until there is something to do; False when we are to end. Lets go of a run that stands still."""
        with self._changed:
            while not (self._finished or self._stopped):
                if self._wanted is not None:
                    rest = self._rests_until - time.monotonic()
                    if rest <= 0:
                        break
                    self._changed.wait(rest)
                elif not self._changed.wait(None if self._grounds is None else KEEP_SECONDS):
                    self._ahead = self._grounds = None
            return not self._stopped

    def _attempt(
        self, database: Engine, run_id: int, work: Callable[[Connection, int], None], failing: str
    ) -> None:
        try:
            with database.connect() as connection:
                work(connection, run_id)
        except (DBAPIError, TrigpointError) as error:
            # The task of scoring says what is wrong, where it matters.
            logger.warning(failing, run=run_id, reason=type(error).__name__)
            self._ahead = None
            if not (isinstance(error, DBAPIError) and will_pass(error)):
                self._refused = run_id

    def _judge(self, connection: Connection, run_id: int) -> None:
        if self._ahead is None or self._ahead.run_id != run_id:
            self._ahead = open_ahead(connection, run_id, self._grounds)
        if self._ahead is None:
            self._refused = run_id
            return
        self._grounds = self._ahead.grounds
        self._ahead.score(connection)
        connection.commit()

    def _score(self, connection: Connection, run_id: int) -> None:
        ahead = self._ahead if self._ahead and self._ahead.run_id == run_id else None
        if ahead is not None:
            # Every answer has its score before boards are reckoned, which takes longer than the last few answers.
            ahead.score(connection, is_last=True)
            connection.commit()
        score_finished_run(connection, run_id, ahead.grounds if ahead else None)

    def stop(self) -> None:
        """End after the answers at hand."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self.is_alive():
            self.join(timeout=5)
