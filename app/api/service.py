"""What the routes share: engines, clock, limiter, cursors, messages; made once an application, disposed with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Self

from fastapi import Depends, Request
from sqlalchemy import Connection, Engine
from starlette.exceptions import HTTPException

from app.api.limiting import Limiter
from app.api.metrics import Watch
from app.api.paging import Cursors
from app.api.uploads import Uploads
from app.core.clock import Clock, SystemClock
from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.db.pools import MAINTAINER_POOL, SERVER_OVERFLOW, SERVER_POOL, TOOL_POOL
from app.leaderboard.keeping import Kept
from app.predictions.messages import Messenger, make_celery
from app.published.counts import Counts, read_counts
from app.routing.routers import Routers

logger = get_logger(__name__)


@dataclass(frozen=True)
class Service:
    """`maintainer` is None where the server was given no password of that role: it changes nothing then.

    `reader`, likewise: it calls no tools then.
    """

    settings: Settings
    engine: Engine
    maintainer: Engine | None
    limiter: Limiter
    cursors: Cursors
    clock: Clock
    routers: Routers
    reader: Engine | None = None
    kept: Kept = field(default_factory=Kept)

    @classmethod
    def start(cls, settings: Settings) -> Self:
        """Engines that connect when they are first used. Raises SettingsError without the api role's password."""
        engine = make_engine(settings, Role.API, SERVER_POOL, overflow=SERVER_OVERFLOW)
        maintainer = None
        if settings.password_maintainer is not None:
            maintainer = make_engine(settings, Role.MAINTAINER, MAINTAINER_POOL)
        reader = None
        if settings.password_reader is not None:
            reader = make_engine(settings, Role.READER, TOOL_POOL)
        secret = settings.password_api
        assert secret is not None, "the engine was made with it"
        redis_url = settings.redis_url.get_secret_value() if settings.redis_url is not None else None
        # Cursors hold good at every server and after a restart: their key follows from what all servers know.
        signing = sha256(b"trigpoint cursors " + secret.get_secret_value().encode()).digest()
        limiter, routers = Limiter(redis_url), Routers(settings)
        return cls(settings, engine, maintainer, limiter, Cursors(signing), SystemClock(), routers, reader)

    def close(self) -> None:
        """Let the connections go."""
        for engine in (self.engine, self.maintainer, self.reader):
            if engine is not None:
                engine.dispose()

    @contextmanager
    def changing(self) -> Iterator[Connection]:
        """One connection of the role maintainer, for who bears a maintainer's key; the caller commits.

        Raises a 501 where this server has no password of that role.
        """
        if self.maintainer is None:
            raise HTTPException(501, "This server only reads: it was given no TRIGPOINT_PASSWORD_MAINTAINER.")
        with self.maintainer.connect() as connection:
            yield connection

    @cached_property
    def uploads(self) -> Uploads:
        """The answers that this server is taking."""
        return Uploads(self.settings.upload_bytes)

    @cached_property
    def watch(self) -> Watch:
        """What a monitor is told of this server."""
        return Watch(self._count)

    def _count(self) -> Counts:
        with self.engine.connect() as connection:
            return read_counts(connection, self.clock.now())

    @cached_property
    def _messenger(self) -> Messenger | None:
        return None if self.settings.redis_url is None else Messenger(make_celery(self.settings))

    def wake(self, task: str, *arguments: object) -> None:
        """Have workers look now; where Redis is away, they find out at their next sweep."""
        if self._messenger is None:
            return
        try:
            self._messenger.send(task, *arguments)
        except ServiceUnavailable as error:
            logger.warning(
                "no message sent: workers find out at their next sweep", task=task, reason=str(error)
            )


def service_of(request: Request) -> Service:
    """The service that the request came to."""
    service: Service = request.app.state.service
    return service


ServiceOf = Annotated[Service, Depends(service_of)]
