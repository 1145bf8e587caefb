"""The sweeper of a worker: a thread with a connection of its own that sweeps again and again, whatever goes away.

Reads and writes what `app.predictions.sweeping` says; sends messages where work or scores are waiting, where scores
are of an older version of the profile, and where reasoning is not checked by the checker of today.
"""

import threading
import time
from collections.abc import Sequence

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.clock import ServerClock
from app.db.engine import make_engine
from app.db.outages import first_line
from app.jobs.claims import kinds_waiting
from app.jobs.kinds import message_of
from app.predictions.messages import REASONING, SCORE, SUBMISSION, WORK, Messenger
from app.predictions.submissions.taking import submissions_wait
from app.predictions.sweeping import Swept, server_age, sweep
from app.scores.reasoning_figures import runs_to_check
from app.scores.scoring import runs_of_old_profile
from app.sessions.sweeping import forget_unused

logger = get_logger(__name__)


class Patience:
    """After the database was away, who holds a lease gets as long as a lease to say so: it could not before."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = time.monotonic()

    def begin(self) -> None:
        """The database is away just now. From any thread."""
        self._until = time.monotonic() + self.seconds

    @property
    def is_over(self) -> bool:
        """Whether who has not renewed a lease must be gone."""
        return time.monotonic() >= self._until


def sweep_once(
    database: Engine, settings: Settings, clock: Clock, messenger: Messenger, patience: Patience
) -> None:
    """One sweep, and the messages that follow from it; without an error where PostgreSQL or Redis is away."""
    try:
        with database.connect() as connection:
            # A worker that starts after an outage has not seen it; the server's own age tells.
            take_back = patience.is_over and server_age(connection) >= patience.seconds
            swept = sweep(connection, clock.now(), take_back=take_back)
            outdated = runs_of_old_profile(connection)
            unchecked = runs_to_check(connection)
            kinds = kinds_waiting(connection, settings, clock.now())
            submission_waits = submissions_wait(connection, clock.now())
            forget_unused(connection, clock.now())
            connection.commit()
    except DBAPIError as error:
        patience.begin()
        logger.warning("sweep failed, another follows", reason=first_line(error))
        return
    try:
        _tell(messenger, swept, outdated)
        for run_id in unchecked:
            messenger.send(REASONING, run_id)
        for message in sorted({message_of(kind) for kind in kinds}):
            messenger.send(message)
        if submission_waits:
            messenger.send(SUBMISSION)
    except ServiceUnavailable as error:
        logger.warning("nobody told what waits, another sweep follows", reason=str(error))


def _tell(messenger: Messenger, swept: Swept, outdated: Sequence[int]) -> None:
    if swept.expired:
        logger.info("swept", expired=swept.expired, reasked=swept.reasked, given_up=swept.given_up)
    if swept.work_waits:
        messenger.send(WORK)
    for run_id in sorted({*swept.to_score, *outdated}):
        messenger.send(SCORE, run_id)


class Sweeper(threading.Thread):
    """Sweeps every `sweep_seconds` until stopped."""

    def __init__(
        self, settings: Settings, clock: ServerClock, messenger: Messenger, patience: Patience
    ) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._settings = settings
        self._database = make_engine(settings, Role.WORKER, pool_size=1, idle_seconds=settings.lease_seconds)
        self._clock = clock
        self._messenger = messenger
        self._patience = patience
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Sweep at once, then every `sweep_seconds`."""
        while not self._stop_asked.is_set():
            self._clock.read(self._database)
            sweep_once(self._database, self._settings, self._clock, self._messenger, self._patience)
            self._stop_asked.wait(self._settings.sweep_seconds)
        self._database.dispose()

    def stop(self) -> None:
        """End after the sweep at hand."""
        self._stop_asked.set()
        self.join(timeout=5)
