"""One pace for all workers: limits, window and pauses of an endpoint lie in Redis, changed by one script.

Redis holds no truth: each process tells how many calls it has in flight, so what Redis lost is there again with the
next word of each. Where Redis is away, each process keeps to its share of the limits. Invariant: nothing fails here.
"""

import asyncio
import math
import os
import socket
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.core.identity import digest
from app.core.log import get_logger
from app.inference.chat import Endpoint
from app.inference.limits import SPREAD, Limits
from app.inference.pacing import BEAT, SHRINK_AGAIN, LocalDesk, Pacer, Report, Turn
from app.inference.window import QUICK, STEEP, STEEPEST

logger = get_logger(__name__)
SCRIPT = (Path(__file__).parent / "pacing.lua").read_text()
LIFE = 3.5 * BEAT
"""Seconds after which a process that says nothing counts as dead, and its calls as over."""
PATIENCE = 0.5
"""Seconds that Redis may take for an answer."""
TRY_AGAIN = 1.0
"""Seconds for which a Redis that did not answer is left alone."""
LOOK_AGAIN = 0.05
"""Seconds after which to look whether others have given places back."""


class SharedDesk:
    """Decides for all processes that name the same endpoint, through Redis; for this one alone where that is away."""

    def __init__(
        self,
        redis_url: str,
        endpoint: Endpoint,
        slots: int,
        limits: Limits,
        first: float | None = None,
        *,
        is_trial: bool = False,
    ) -> None:
        """`first` is the window at an endpoint of which Redis knows nothing; without it, the most that may be.

        A trial keeps to the limits alone, and not to the window.
        """
        self._redis = Redis.from_url(
            redis_url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 0),
        )
        self._script = self._redis.register_script(SCRIPT)
        # By key, too: accounts have limits of their own. The digest tells nothing of it.
        account = digest([endpoint.url, endpoint.model, endpoint.key])
        self._keys = [f"trigpoint:pace:{account[:32]}:{part}" for part in ("state", "lives", "flying")]
        self._process = f"{socket.gethostname()}:{os.getpid()}:{os.urandom(4).hex()}"
        self._endpoint = endpoint
        self._slots = slots
        self._limits = limits
        self._is_trial = is_trial
        self._workers = 1
        most = float(limits.concurrency or slots)
        self._window = most if first is None else min(first, most)
        self._alone: LocalDesk | None = None
        self._try_at = 0.0

    async def turn(self, report: Report) -> Turn:
        """Take note of a report and let calls go."""
        loop = asyncio.get_running_loop()
        if self._alone is not None and loop.time() < self._try_at:
            return await self._alone.turn(report)
        try:
            turn = await self._ask(report)
        except (RedisError, OSError, TimeoutError) as error:
            self._try_at = loop.time() + TRY_AGAIN
            return await self._go_alone(error).turn(report)
        if self._alone is not None:
            logger.warning("Redis is back: limits are shared again", endpoint=self._endpoint.url)
            self._alone = None
        return turn

    async def close(self) -> None:
        """Sign off, where Redis is there."""
        try:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.zrem(self._keys[1], self._process)
                pipe.hdel(self._keys[2], self._process)
                await pipe.execute()
        except (RedisError, OSError, TimeoutError):
            logger.debug("not signed off: Redis is away", endpoint=self._endpoint.url)
        finally:
            await self._redis.aclose()

    async def _ask(self, report: Report) -> Turn:
        hint = self._window if self._alone is None else self._alone.window * self._workers
        limits = self._limits
        arguments: list[Any] = [
            self._process,
            report.in_flight,
            report.answered,
            int(report.limited),
            report.pause,
            report.excess,
            self._slots,
            limits.concurrency or 0,
            (limits.requests_per_minute or 0) / SPREAD,
            (limits.tokens_per_minute or 0) / SPREAD,
            hint,
            LIFE,
            SHRINK_AGAIN,
            report.seconds,
            QUICK,
            STEEP,
            STEEPEST,
            int(self._is_trial),
            *report.wanted,
        ]
        granted, wait, window, workers, places = await self._script(keys=self._keys, args=arguments)
        self._window, self._workers = float(window), int(workers)
        seconds = float(wait)
        if seconds < 0:  # all places are taken
            seconds = LOOK_AGAIN if self._workers > 1 else math.inf
        return Turn(int(granted), seconds, self._window, int(places))

    def _go_alone(self, error: Exception) -> LocalDesk:
        if self._alone is None:
            window = None if self._is_trial else self._window / self._workers
            self._alone = LocalDesk(self._slots, self._limits, self._workers, window)
            logger.warning(
                "Redis is away: this worker keeps to its share of the limits",
                endpoint=self._endpoint.url,
                share=f"1/{self._workers}",
                reason=str(error).partition("\n")[0] or type(error).__name__,
            )
        return self._alone


def make_pacer(
    redis_url: str | None,
    endpoint: Endpoint,
    slots: int,
    limits: Limits,
    first: float | None = None,
    *,
    is_trial: bool = False,
) -> Pacer:
    """A pacer that shares limits through Redis, or one for this process where no Redis is named."""
    alone = LocalDesk(slots, limits, window=None if is_trial else first)
    if redis_url is None:
        return Pacer(slots, limits, alone, first)
    try:
        shared = SharedDesk(redis_url, endpoint, slots, limits, first, is_trial=is_trial)
        return Pacer(slots, limits, shared, first)
    except ValueError as error:  # a broker's URL that is no Redis's, such as a sentinel's
        logger.warning("limits are not shared: the broker is not a single Redis", reason=str(error))
        return Pacer(slots, limits, alone, first)
