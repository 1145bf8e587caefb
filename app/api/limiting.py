"""How often a key may ask: a moving window of a minute, shared by all servers through Redis.

Where Redis is away, each server keeps windows of its own until it is back: a key may then ask so often at each server,
and never without limit. Redis holds no truth: what it loses opens the windows of the last minute, no more.
"""

import time

from limits import RateLimitItem, RateLimitItemPerMinute
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
        cost = min(cost, caller.requests_per_minute)
        item = RateLimitItemPerMinute(caller.requests_per_minute)
        if self._shared is not None and time.monotonic() >= self._try_at:
            try:
                _admit(self._shared, item, caller, cost)
                return
            except (RedisError, OSError) as error:
                self._try_at = time.monotonic() + TRY_AGAIN
                reason = str(error).partition("\n")[0]
                logger.warning("Redis is away: rates are counted only by this server", reason=reason)
        _admit(self._alone, item, caller, cost)


def _admit(limiter: MovingWindowRateLimiter, item: RateLimitItem, caller: Caller, cost: int) -> None:
    if limiter.hit(item, caller.prefix, cost=cost):
        return
    wait = max(1.0, limiter.get_window_stats(item, caller.prefix).reset_time - time.time())
    raise TooMany(
        f"The key {caller.prefix} may make {caller.requests_per_minute} requests a minute; the next in {wait:.0f} s.",
        retry_after=wait,
    )
