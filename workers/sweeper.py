"""The sweeper of a worker: a thread with a connection of its own that sweeps again and again, whatever goes away.

Reads and writes what `app.predictions.sweeping` says; sends messages where work or scores are waiting, and where scores
are of an older version of the profile.
"""

import threading

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.predictions.messages import SCORE, WORK, Messenger
from app.predictions.sweeping import sweep
from app.scores.scoring import runs_of_old_profile

logger = get_logger(__name__)


def sweep_once(database: Engine, clock: Clock, messenger: Messenger) -> None:
    """One sweep, and the messages that follow from it. Raises DBAPIError, ServiceUnavailable."""
    with database.connect() as connection:
        swept = sweep(connection, clock.now())
        outdated = runs_of_old_profile(connection)
    if swept.expired:
        logger.info("swept", expired=swept.expired, reasked=swept.reasked, given_up=swept.given_up)
    if swept.work_waits:
        messenger.send(WORK)
    for run_id in sorted({*swept.to_score, *outdated}):
        messenger.send(SCORE, run_id)


class Sweeper(threading.Thread):
    """Sweeps every `sweep_seconds` until stopped."""

    def __init__(self, settings: Settings, clock: Clock, messenger: Messenger) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._seconds = settings.sweep_seconds
        self._database = make_engine(settings, Role.WORKER, pool_size=1, idle_seconds=settings.lease_seconds)
        self._clock = clock
        self._messenger = messenger
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Sweep at once, then every `sweep_seconds`."""
        while not self._stop_asked.is_set():
            try:
                sweep_once(self._database, self._clock, self._messenger)
            except (DBAPIError, ServiceUnavailable) as error:
                reason = str(getattr(error, "orig", error)).strip().partition("\n")[0]
                logger.warning("sweep failed, next one follows", reason=reason, wait=self._seconds)
            self._stop_asked.wait(self._seconds)
        self._database.dispose()

    def stop(self) -> None:
        """End after the sweep at hand."""
        self._stop_asked.set()
        self.join(timeout=5)
