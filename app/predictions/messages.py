"""Messages to workers, by task name: the application never imports the workers. Redis carries them and holds no truth.

A message says no more than "look for work"; one that is lost is sent again by a sweeper.
"""

import socket
from collections.abc import Mapping
from typing import Any

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from app.core.errors import ServiceUnavailable
from app.core.settings import SET_UP, Settings

WORK = "trigpoint.work"
SCORE = "trigpoint.score"
REASONING = "trigpoint.reasoning"
SWEEP = "trigpoint.sweep"
JOB = "trigpoint.job"
IMPORT = "trigpoint.import"
"""A job for a worker with the owner's password."""
SUBMISSION = "trigpoint.submission"
SCHEDULES = "trigpoint.schedules"
ROUTES: Mapping[str, Mapping[str, str]] = {
    WORK: {"queue": "work"},
    SCORE: {"queue": "score"},
    REASONING: {"queue": "score"},
    SWEEP: {"queue": "sweep"},
    JOB: {"queue": "work"},
    IMPORT: {"queue": "import"},
    SUBMISSION: {"queue": "score"},
    SCHEDULES: {"queue": "sweep"},
}
QUEUES = ("work", "score", "sweep")
"""What every worker listens to."""
QUEUE_OF_OWNERS = "import"
KEEPALIVES = {
    socket.TCP_KEEPIDLE: 10,
    socket.TCP_KEEPINTVL: 5,
    socket.TCP_KEEPCNT: 4,
    socket.TCP_USER_TIMEOUT: 30_000,
}
"""After half a minute, connections to a Redis whose host, or ours, is cut off count as broken, all at once."""
_RETRIES = {"max_retries": 1, "interval_start": 0.1, "interval_step": 0.1, "interval_max": 0.2}


def make_celery(settings: Settings, **more: Any) -> Celery:
    """A Celery application on the broker of `settings`; workers add their tasks to one, others only send."""
    application = Celery("trigpoint", broker=settings.broker_url(), set_as_current=False)
    application.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_routes=ROUTES,
        task_default_queue="work",
        task_create_missing_queues=True,
        worker_prefetch_multiplier=1,
        broker_transport="app.predictions.broker:Transport",
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_connect_timeout": 5,
            "socket_timeout": 30,
            "health_check_interval": 10,
            "socket_keepalive": True,
            "socket_keepalive_options": KEEPALIVES,
        },
        enable_utc=True,
        timezone="UTC",
        **more,
    )
    return application


class Messenger:
    """Sends messages and asks who listens."""

    def __init__(self, celery: Celery) -> None:
        self._celery = celery

    def check(self) -> None:
        """Raises ServiceUnavailable where Redis does not answer."""
        try:
            with self._celery.connection_for_write() as connection:
                connection.ensure_connection(max_retries=1, interval_start=0, timeout=5)
        except (OperationalError, RedisError, OSError) as error:
            raise _away(error) from error

    def send(self, task: str, *arguments: Any) -> None:
        """Enqueue a task by name. Raises ServiceUnavailable where Redis does not answer."""
        try:
            self._celery.send_task(task, args=arguments, retry=True, retry_policy=_RETRIES)
        except (OperationalError, RedisError, OSError) as error:
            raise _away(error) from error

    def living_workers(self, timeout: float = 1.0) -> list[str]:
        """The names of workers that answer a ping in time. Raises ServiceUnavailable where Redis does not answer."""
        try:
            answers = self._celery.control.ping(timeout=timeout)
        except (OperationalError, RedisError, OSError) as error:
            raise _away(error) from error
        return sorted(name for answer in answers or [] for name in answer)


def _away(error: Exception) -> ServiceUnavailable:
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return ServiceUnavailable(
        f"Redis does not answer: {reason}. Run `{SET_UP}`, or look at TRIGPOINT_REDIS_URL."
    )
