"""Doctor: Redis and the workers that listen to it."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import redis

from app.core.errors import SettingsError, TrigpointError
from app.core.settings import Settings
from app.db.room import room_of
from app.doctor.registry import Report, check, fail, ok, remedy, warn
from app.predictions.messages import Messenger, make_celery

WAIT_SECONDS = 1.5


@check(
    "redis",
    remedy(
        "Run `make up`: it starts Redis; with containers, look at `docker-compose logs redis`.",
        "Start Redis, or set TRIGPOINT_REDIS_URL to the address of a running one.",
    ),
)
def check_redis(settings: Settings) -> Iterator[Report]:
    """Redis answers."""
    try:
        url = settings.broker_url()
        with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
            version = client.info("server")["redis_version"]
    except SettingsError as error:
        yield fail(str(error))
    except redis.RedisError as error:
        yield fail(f"Redis does not answer at {address(url)}: {error}")
    else:
        yield ok(f"Redis {version} answers at {address(url)}")


@check(
    "workers", "`trigpoint evaluate` starts one when it needs one; `trigpoint worker` starts one that stays."
)
def check_workers(settings: Settings) -> Iterator[Report]:
    """Workers are alive; none is no failure, since `evaluate` starts one."""
    try:
        with make_celery(settings) as application:
            names = Messenger(application).living_workers(WAIT_SECONDS)
    except TrigpointError:
        yield fail("not examined: Redis does not answer", "Repair Redis first.")
        return
    yield ok(f"{len(names)} alive: {', '.join(names)}") if names else warn("no worker is alive")


@check(
    "connections",
    "Stop a worker, or raise PostgreSQL's max_connections and restart it.",
)
def check_connections(settings: Settings) -> Iterator[Report]:
    """PostgreSQL has connections for what lives, and for another worker."""
    if settings.password_worker is None:
        return
    try:
        room = room_of(settings)
    except TrigpointError as error:
        yield fail(f"not examined: {str(error).split('. ')[0]}", "Repair PostgreSQL first.")
        return
    said = f"running workers may open {room.taken} of {room.total} connections; {room.workers} more workers can start"
    yield ok(said) if room.workers else warn(said)


def address(url: str) -> str:
    """Host and port of a broker URL, without its password."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or 6379}"
