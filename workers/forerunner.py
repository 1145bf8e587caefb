"""The thread that judges stored answers while their run goes on; what it misses, the run's scoring judges."""

import threading

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from app.core.errors import TrigpointError
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.db.outages import will_pass
from app.scores.ahead import Ahead, open_ahead

logger = get_logger(__name__)
KEEP_SECONDS = 60.0
"""How long a run's questions are kept in memory while none of its answers comes."""


class Forerunner(threading.Thread):
    """Judges ahead for one run at a time, the one that was looked at last; never fails."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(name="forerunner", daemon=True)
        self._settings = settings
        self._changed = threading.Condition()
        self._wanted: int | None = None
        self._finished = False
        self._stopped = False
        self._ahead: Ahead | None = None
        self._refused: int | None = None

    def look(self, run_id: int) -> None:
        """More of the run's answers are stored. From any thread."""
        with self._changed:
            self._wanted = run_id
            self._changed.notify()

    def forget(self) -> None:
        """The run is finished: its scoring judges what is left, and needs the memory. From any thread."""
        with self._changed:
            self._wanted = None
            self._finished = True
            self._changed.notify()

    def run(self) -> None:
        """Judge whenever something was stored, until stopped."""
        database = make_engine(self._settings, Role.WORKER, pool_size=1)
        while (run_id := self._next()) is not None:
            if run_id == self._refused:
                continue
            try:
                self._judge(database, run_id)
            except (DBAPIError, TrigpointError) as error:
                # The run's own scoring says what is wrong, where it matters.
                logger.warning("not judged ahead", run=run_id, reason=type(error).__name__)
                self._ahead = None
                if not (isinstance(error, DBAPIError) and will_pass(error)):
                    self._refused = run_id
        database.dispose()

    def _next(self) -> int | None:
        """The run to look at; None when we are to end. Lets go of a run that is finished."""
        with self._changed:
            while self._wanted is None and not self._stopped:
                if self._finished:
                    self._ahead, self._finished = None, False
                elif not self._changed.wait(timeout=None if self._ahead is None else KEEP_SECONDS):
                    self._ahead = None
            run_id, self._wanted = self._wanted, None
            return None if self._stopped else run_id

    def _judge(self, database: Engine, run_id: int) -> None:
        with database.connect() as connection:
            if self._ahead is None or self._ahead.run_id != run_id:
                self._ahead = open_ahead(connection, run_id)
            if self._ahead is None:
                self._refused = run_id
                return
            self._ahead.score(connection)
            connection.commit()

    def stop(self) -> None:
        """End after the answers at hand."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self.is_alive():
            self.join(timeout=5)
