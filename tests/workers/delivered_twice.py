"""Workers whose broker delivers every message twice: `python -m tests.workers.delivered_twice`, as `python -m workers`.

Redis gets each message two times, the same to the last letter, as after a delivery that it takes for lost.
"""

from typing import Any

from celery import Celery

from app.predictions.broker import Channel as OurChannel
from app.predictions.broker import Transport as OurTransport
from workers.__main__ import read_arguments, serve
from workers.app import app


class Channel(OurChannel):
    """A channel that puts everything twice."""

    def _put(self, queue: str, message: dict[str, Any], **more: Any) -> None:
        for _ in range(2):
            super()._put(queue, message, **more)


class Transport(OurTransport):
    """Redis, with such channels."""

    Channel = Channel


def doubled(celery: Celery) -> Celery:
    """The application, with that transport."""
    celery.conf.broker_transport = f"{__name__}:{Transport.__name__}"
    return celery


if __name__ == "__main__":
    options = read_arguments()
    serve(doubled(app), options.queues.split(","), options.log_level)
