"""How fast an endpoint is asked: a window of calls in flight that shrinks when it limits us and grows when it answers.

Additive increase, multiplicative decrease (Chiu and Jain, 1989), and a pause where the endpoint names one.
"""

import asyncio

LOOK_UP = 0.5
"""Seconds after which those who wait look whether they are to stop."""


class Pacer:
    """Hands out places for calls to one endpoint; belongs to one event loop."""

    def __init__(self, concurrency: int) -> None:
        self._limit = float(concurrency)
        self._window = float(concurrency)
        self._in_flight = 0
        self._open_at = 0.0
        self._shrunk_at = -1.0
        self._changed = asyncio.Condition()

    @property
    def window(self) -> float:
        """Calls that may be in flight just now."""
        return self._window

    async def enter(self, stop: asyncio.Event) -> bool:
        """Wait for a place; False where `stop` was set before there was one."""
        loop = asyncio.get_running_loop()
        while not stop.is_set():
            wait = self._open_at - loop.time()
            if wait <= 0 and self._in_flight < max(1, int(self._window)):
                self._in_flight += 1
                return True
            async with self._changed:
                try:
                    await asyncio.wait_for(self._changed.wait(), min(wait, LOOK_UP) if wait > 0 else LOOK_UP)
                except TimeoutError:
                    continue
        return False

    async def leave(self, *, answered: bool, limited: bool, pause: float | None = None) -> None:
        """Give a place back, and say how the call went; `pause` in seconds holds back every further call."""
        now = asyncio.get_running_loop().time()
        self._in_flight -= 1
        if answered:
            self._window = min(self._limit, self._window + 1.0 / max(self._window, 1.0))
        if limited and now - self._shrunk_at > 0.1:
            self._window = max(1.0, self._window / 2)
            self._shrunk_at = now
        if pause is not None:
            self._open_at = max(self._open_at, now + pause)
        async with self._changed:
            self._changed.notify_all()
