"""Which workers live on a database: each holds an advisory lock that says how many connections it may open.

A killed worker lets go of it at once; one that is stopped does not renew it. PostgreSQL keeps it, so it is known while
Redis is away, and nothing has to be cleaned up. The lock belongs to a session: behind a pooler, sessions must be whole.
"""

import threading

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.db.outages import first_line
from app.db.pools import WORKER_CONNECTIONS, WORKER_LOCK
from app.db.queries_presence import HOLD, LIVING, RENEW

logger = get_logger(__name__)
MISSED = 3
"""Renewals that a worker may miss before it does not count as one that lives …"""
LEAST_SECONDS = 5.0
"""… but not before so long: it may just be busy."""


class Presence(threading.Thread):
    """A worker's name on the list of those that live, renewed every `sweep_seconds` until stopped."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(name="presence", daemon=True)
        self._settings = settings
        self._seconds = settings.sweep_seconds
        self._connection: Connection | None = None
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Renew at once, then again and again; while PostgreSQL is away, try at the next time."""
        database = make_engine(self._settings, Role.WORKER, pool_size=1)
        while not self._stop_asked.is_set():
            try:
                self._renew(database)
            except DBAPIError as error:
                logger.warning("not on the list of workers", reason=first_line(error))
                self._leave(database)
            self._stop_asked.wait(self._seconds)
        self._leave(database)

    def stop(self) -> None:
        """Leave the list."""
        self._stop_asked.set()
        if self.is_alive():
            self.join(timeout=5)

    def _renew(self, database: Engine) -> None:
        if self._connection is None:
            self._connection = database.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._connection.exec_driver_sql(HOLD, {"kind": WORKER_LOCK, "connections": WORKER_CONNECTIONS})
        self._connection.exec_driver_sql(RENEW)

    def _leave(self, database: Engine) -> None:
        if self._connection is not None:
            # Not back to the pool: the lock would live on with the session.
            self._connection.invalidate()
            self._connection.close()
            self._connection = None
        database.dispose()


def living_workers(connection: Connection, settings: Settings) -> int:
    """How many workers are on the list and renewed their names lately."""
    seconds = max(LEAST_SECONDS, MISSED * settings.sweep_seconds)
    binds = {"kind": WORKER_LOCK, "seconds": seconds}
    count: int = connection.exec_driver_sql(LIVING, binds).scalar_one()
    return count
