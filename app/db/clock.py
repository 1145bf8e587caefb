"""PostgreSQL's clock, for those who hold and take back leases on different machines.

Reads nothing but the server's time.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock, SystemClock
from app.core.log import get_logger
from app.db.outages import first_line

logger = get_logger(__name__)
NOW = text("select clock_timestamp()")


class _Reading(NamedTuple):
    told: datetime
    at: float


class ServerClock:
    """The server's time, as last read, and what has passed here since; before that the machine's own.

    What has passed is told by the machine's monotonic clock, so that neither a wrong clock of this machine nor one that
    is set while a worker works moves a deadline. For any number of threads.
    """

    def __init__(self, machine: Clock | None = None) -> None:
        self._machine = machine or SystemClock()
        self._last: _Reading | None = None

    def now(self) -> datetime:
        """The time now, in UTC."""
        last = self._last
        if last is None:
            return self._machine.now()
        return last.told + timedelta(seconds=time.monotonic() - last.at)

    def read(self, database: Engine) -> None:
        """Ask the server; off by half of what the answer takes at most. Where it is away, what was read stands."""
        try:
            with database.connect() as connection:
                asked = time.monotonic()
                told: datetime = connection.execute(NOW).scalar_one()
                answered = time.monotonic()
        except DBAPIError as error:
            logger.warning("the server's clock was not read", reason=first_line(error))
            return
        self._last = _Reading(told.astimezone(UTC), (asked + answered) / 2)
