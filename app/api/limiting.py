"""How often a key may ask, and an address try to sign in: a moving window of a minute, shared by all servers by Redis.

Where Redis is away, each server keeps windows of its own until it is back: a key may then ask so often at each server,
and never without limit. Redis holds no truth: what it loses opens the windows of the last minute, no more.
"""

import time
from typing import NamedTuple

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from app.access.keys import Caller
from app.core.errors import TooMany
from app.core.log import get_logger

logger = get_logger(__name__)
PATIENCE = 0.5
"""Seconds that Redis may take for an answer."""
TRIES = 20
"""Tries to sign in that one network address may make a minute."""
TRY_AGAIN = 1.0
"""Seconds for which a Redis that did not answer is left alone."""


class Limiter:
    """Counts requests by key."""

    def __init__(self, redis_url: str | None) -> None:
        self._alone = MovingWindowRateLimiter(MemoryStorage())
        self._shared: MovingWindowRateLimiter | None = None
        self._try_at = 0.0
        if redis_url is not None:
            pool = ConnectionPool.from_url(
                redis_url,
                socket_timeout=PATIENCE,
                socket_connect_timeout=PATIENCE,
                retry=Retry(NoBackoff(), 0),
            )
            storage = RedisStorage(redis_url, connection_pool=pool, key_prefix="trigpoint:rate")
            self._shared = MovingWindowRateLimiter(storage)

    def admit(self, caller: Caller, cost: int = 1) -> None:
        """Count a request, or work that counts for `cost` of them. Raises TooMany, saying when the next is let in."""
        most = caller.requests_per_minute
        said = f"The key {caller.prefix} may make {most} requests a minute"
        self._count(_Counted(caller.prefix, most, said), min(cost, most))

    def admit_try(self, address: str) -> None:
        """Count a try to sign in from a network address. Raises TooMany, saying when the next is let in."""
        said = f"From one address, {TRIES} tries to sign in are let in a minute"
        self._count(_Counted(f"sign-in {address}", TRIES, said), 1)

    def _count(self, counted: "_Counted", cost: int) -> None:
        if self._shared is not None and time.monotonic() >= self._try_at:
            try:
                _admit(self._shared, counted, cost)
                return
            except (RedisError, OSError) as error:
                self._try_at = time.monotonic() + TRY_AGAIN
                reason = str(error).partition("\n")[0]
                logger.warning("Redis is away: rates are counted only by this server", reason=reason)
        _admit(self._alone, counted, cost)


class _Counted(NamedTuple):
    """What requests are counted for, how many are let in a minute, and how who sends more is told so."""

    name: str
    most: int
    said: str


def _admit(limiter: MovingWindowRateLimiter, counted: _Counted, cost: int) -> None:
    item = RateLimitItemPerMinute(counted.most)
    if limiter.hit(item, counted.name, cost=cost):
        return
    wait = max(1.0, limiter.get_window_stats(item, counted.name).reset_time - time.time())
    raise TooMany(f"{counted.said}; the next in {wait:.0f} s.", retry_after=wait)
