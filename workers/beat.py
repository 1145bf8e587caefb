"""The schedule of `trigpoint worker --beat`: what it sends stands in the settings, so it is kept in memory alone.

Reads nothing; sends messages through Redis. Invariant: nothing that becomes of Redis ends it, or has it send no more;
any number of them may run, since what they ask for may be asked for twice.
"""

import socket
from typing import Any

import redis
from celery.beat import ScheduleEntry, Scheduler, SchedulingError

from app.core.log import get_logger

logger = get_logger(__name__)
LIVES = 5
"""Of the longest times between two messages: as long it counts as well after one."""


def pulse_of(host: str) -> str:
    """The key in Redis that is there while the schedule of a host sends messages (`scripts/lib/health.py`)."""
    return f"trigpoint:beat:{host}"


class Beat(Scheduler):
    """Celery's scheduler without a file; it tells that it lives, and in one line when it cannot send."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        url = self.app.conf.broker_url
        self._redis = redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5)

    def setup_schedule(self) -> None:
        """Only what the settings name: Celery would add the cleaning of results, of which there are none."""
        self.merge_inplace(self.app.conf.beat_schedule)

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send one message; where that fails, as while Redis is away, the next one is sent when it is due."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
            self._redis.set(pulse_of(socket.gethostname()), 1, ex=LIVES * round(self.max_interval or 1))
        except (SchedulingError, redis.RedisError) as error:
            logger.warning("a message is not sent", task=entry.task, reason=str(error))
        else:
            logger.debug("sent", task=entry.task)
