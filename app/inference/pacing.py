"""How fast an endpoint is asked: a window of calls in flight, a pause where it names one, and limits a minute.

A pacer belongs to one process; a desk decides what it may do, for this process or for all of them together.
"""

import asyncio
import math
from collections import deque
from typing import NamedTuple, Protocol

from app.inference.limits import UNKNOWN_ANSWER, Bucket, Limits
from app.inference.window import Window

LOOK_UP = 0.5
"""Seconds after which it is looked whether those who wait are to stop."""
BEAT = 3.0
"""Seconds after which a pacer with calls in flight tells of itself."""
REPORT = 0.05
"""Seconds for which calls that ended may be kept back while nobody waits."""
SHRINK_AGAIN = 0.5
"""Seconds in which refusals count as one: calls that left together are refused together."""


class Report(NamedTuple):
    """What a pacer tells its desk: its calls in flight, what came back since, and what waits.

    `pause` in seconds holds back every call; `excess` are tokens beyond what was reckoned; `wanted` are the tokens of
    the calls that wait; `seconds` is how long the answered calls took together.
    """

    in_flight: int
    answered: int
    limited: bool
    pause: float
    excess: float
    wanted: list[float]
    seconds: float = 0.0


class Turn(NamedTuple):
    """What a desk says: how many of those that wait may go, and in how many seconds to ask again for the others.

    `places` are the calls that may be in flight with them: a place that is left may be taken again, unless calls are
    counted by the minute.
    """

    granted: int
    wait: float
    window: float
    places: int


class Desk(Protocol):
    """Decides how many calls may leave."""

    async def turn(self, report: Report) -> Turn:
        """Take note of a report and let calls go."""

    async def close(self) -> None:
        """Nothing more will be asked."""


class LocalDesk:
    """Decides for one process; with `share` n it keeps to an n-th of the limits."""

    def __init__(self, slots: int, limits: Limits, share: int = 1, window: float | None = None) -> None:
        now = asyncio.get_running_loop().time()
        most = float(max(1, (limits.concurrency or slots * share) // share))
        self._window = Window(most if window is None else window, most)
        self._requests = Bucket(_part(limits.requests_per_minute, share), now)
        self._tokens = Bucket(_part(limits.tokens_per_minute, share), now)
        self._shrunk_at = -SHRINK_AGAIN

    @property
    def window(self) -> float:
        """Calls that may be in flight."""
        return self._window.size

    async def turn(self, report: Report) -> Turn:
        """Take note of a report and let calls go."""
        now = asyncio.get_running_loop().time()
        self._note(report, now)
        if report.pause > 0:
            return Turn(0, report.pause, self.window, 0)
        free = max(1, int(self.window)) - report.in_flight
        granted, wait = 0, math.inf
        for need in report.wanted[: max(0, free)]:
            until = max(self._requests.wait(1.0, now), self._tokens.wait(need, now))
            if until > 0:
                wait = until
                break
            self._requests.take(1.0)
            self._tokens.take(need)
            granted += 1
        return Turn(granted, wait, self.window, report.in_flight + min(granted, free))

    def _note(self, report: Report, now: float) -> None:
        self._window.note(report.answered, report.seconds)
        if report.limited and now - self._shrunk_at >= SHRINK_AGAIN:
            self._window.shrink()
            self._shrunk_at = now
        self._tokens.take(report.excess)

    async def close(self) -> None:
        """Nothing more will be asked."""


def _part(limit: int | None, share: int) -> float | None:
    return None if limit is None else limit / share


class _Waiting(NamedTuple):
    """`place` ends as True when there is one, as False where `stop` was set before."""

    tokens: float
    place: asyncio.Future[bool]
    stop: asyncio.Event


def _was_given(waiting: _Waiting) -> bool:
    place = waiting.place
    return place.done() and not place.cancelled() and place.exception() is None and place.result()


class Pacer:
    """Hands out places for calls to one endpoint; belongs to one event loop. Without a desk it decides by itself."""

    def __init__(
        self,
        concurrency: int,
        limits: Limits | None = None,
        desk: Desk | None = None,
        first: float | None = None,
    ) -> None:
        """`first` is the window until the desk has spoken; as many as may be in flight where it is not given."""
        self.limits = limits or Limits()
        self._desk = desk or LocalDesk(concurrency, self.limits)
        self._waiting: deque[_Waiting] = deque()
        self._coming: deque[_Waiting] = deque()
        self._ready = 0
        self._in_flight = 0
        self._answered = 0
        self._limited = False
        self._is_closed = False
        self._excess = 0.0
        self._open_at = 0.0
        self._is_metered = (self.limits.requests_per_minute, self.limits.tokens_per_minute) != (None, None)
        self._places = 0
        self._is_full = False
        most = float(self.limits.concurrency or concurrency)
        self._window = most if first is None else min(first, most)
        self._seconds = 0.0
        self._answer_tokens = UNKNOWN_ANSWER
        self._changed = asyncio.Event()
        self._told: asyncio.TimerHandle | None = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def window(self) -> float:
        """Calls that may be in flight, as last heard: over all processes where they share."""
        return self._window

    def reckon(self, prompt: float, longest: float | None) -> float:
        """Tokens that a call is likely to take: those of its prompt, and of an answer as they have been of late."""
        return prompt + min(self._answer_tokens, longest or math.inf)

    async def come_near(self, stop: asyncio.Event) -> bool:
        """Wait until a call may be made ready before it has its place, so that places do not stand empty meanwhile.

        Whom it tells True has to call `enter_ready` or `turn_back`. False where the place comes first, since more than
        calls in flight is in its way, or where `stop` was set.
        """
        if stop.is_set():
            return False
        coming = _Waiting(0.0, asyncio.get_running_loop().create_future(), stop)
        self._coming.append(coming)
        self._call_near()
        came = False
        try:
            came = await coming.place
        finally:
            if not came and _was_given(coming):
                self.turn_back()
        return came

    def turn_back(self) -> None:
        """A call that was told to come near will not ask for a place."""
        self._ready -= 1
        self._call_near()

    async def enter_ready(self, stop: asyncio.Event) -> bool:
        """The same as `enter` for a call that came near."""
        try:
            return await self.enter(stop)
        finally:
            self._ready -= 1
            self._call_near()

    async def enter(self, stop: asyncio.Event, tokens: float = 0.0) -> bool:
        """Wait for a place for a call of about `tokens`; False where `stop` was set before there was one."""
        if self._in_flight < self._places and not self._waiting and not stop.is_set():
            self._in_flight += 1
            return True
        waiting = _Waiting(tokens, asyncio.get_running_loop().create_future(), stop)
        self._waiting.append(waiting)
        self._tell_soon()
        entered = False
        try:
            entered = await waiting.place and not stop.is_set()
        finally:
            if not entered:
                self._withdraw(waiting)
        return entered

    async def leave(
        self,
        *,
        answered: bool,
        limited: bool,
        pause: float | None = None,
        reckoned: float = 0.0,
        used: float | None = None,
        seconds: float = 0.0,
    ) -> None:
        """Give a place back, and say how the call went; `pause` in seconds holds back every further call.

        `used` tokens take the place of the `reckoned` ones that were asked for; an answer took `seconds`.
        """
        now = asyncio.get_running_loop().time()
        self._in_flight -= 1
        self._answered += answered
        self._seconds += seconds if answered else 0.0
        self._limited |= limited
        if used is not None:
            self._excess += used - reckoned
            self._answer_tokens += (used - reckoned) / 8 if reckoned else 0.0
            self._answer_tokens = max(1.0, self._answer_tokens)
        if pause is not None:
            self._open_at = max(self._open_at, now + pause)
        if limited or pause is not None:
            self._places = 0
        self._hand_on()
        self._call_near()
        self._tell_soon()

    async def close(self) -> None:
        """Nobody asks any more."""
        self._is_closed = True
        if self._told is not None:
            self._told.cancel()
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait((self._serving,))
        await self._desk.close()

    @property
    def _is_held(self) -> bool:
        """Whether more than calls in flight may hold a call back: a limit a minute, or a pause."""
        return self._is_metered or self._open_at > asyncio.get_running_loop().time()

    @property
    def _room_for_ready(self) -> float:
        """For how many more calls a place is free, or will be: as many as may be in flight are ready beside them.

        So calls go on for as long as one takes where the disk keeps a commit waiting.
        """
        most = self._places if self._is_full else max(self._places, self._window)
        return self._window + max(0.0, most - self._in_flight) - self._ready

    def _call_near(self) -> None:
        """Answer those who may come near by now, or need not wait for that."""
        while self._coming and (self._is_held or self._coming[0].stop.is_set() or self._room_for_ready >= 1):
            coming = self._coming.popleft()
            if not coming.place.done():
                may = not self._is_held and not coming.stop.is_set()
                self._ready += may
                coming.place.set_result(may)

    def _withdraw(self, waiting: _Waiting) -> None:
        """Somebody will not call: a place that was given already is free again."""
        given = _was_given(waiting)
        waiting.place.cancel()
        if given:
            self._in_flight -= 1
            self._serve_on()

    def _hand_on(self) -> None:
        """Let those who wait have the places that were left."""
        self._let_go(self._places - self._in_flight)

    def _tell_soon(self) -> None:
        """Speak to the desk: at once where it may let somebody go who waits, in a while where it has no more places."""
        if self._waiting and not (self._places and self._is_full):
            self._serve_on()
        elif self._told is None:
            self._told = asyncio.get_running_loop().call_later(REPORT, self._tell)

    def _tell(self) -> None:
        self._told = None
        self._serve_on()

    def _serve_on(self) -> None:
        self._changed.set()
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve())

    async def _serve(self) -> None:
        """Ask the desk while anybody waits or is in flight. What breaks here breaks those who wait."""
        try:
            # Python 3.11 loses a cancellation that comes with what `wait_for` waits for: the flag does not get lost.
            while not self._is_closed:
                self._changed.clear()
                self._let_stopped_go()
                # What the desk is told others count with: until it has spoken, one call leaves for one that came.
                self._places = min(self._places, self._in_flight)
                report = self._report()
                turn = await self._desk.turn(report)
                self._window = turn.window
                self._is_full = turn.granted < len(report.wanted)
                self._let_go(turn.granted)
                self._places = 0 if self._is_held or self._limited else turn.places
                self._call_near()
                if not self._waiting and not self._in_flight and not self._changed.is_set():
                    return
                longest = min(LOOK_UP, max(0.001, turn.wait)) if self._waiting or self._coming else BEAT
                try:
                    await asyncio.wait_for(self._changed.wait(), longest)
                except TimeoutError:
                    continue
        except Exception as error:
            while self._waiting:
                waiting = self._waiting.popleft()
                if not waiting.place.done():
                    waiting.place.set_exception(error)
            raise

    def _report(self) -> Report:
        while self._waiting and self._waiting[0].place.done():
            self._waiting.popleft()
        wanted = [waiting.tokens for waiting in self._waiting if not waiting.place.done()]
        pause = max(0.0, self._open_at - asyncio.get_running_loop().time())
        report = Report(
            self._in_flight, self._answered, self._limited, pause, self._excess, wanted, self._seconds
        )
        self._answered, self._limited, self._excess, self._seconds = 0, False, 0.0, 0.0
        return report

    def _let_go(self, granted: int) -> None:
        while granted > 0 and self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.place.done():
                waiting.place.set_result(True)
                self._in_flight += 1
                granted -= 1

    def _let_stopped_go(self) -> None:
        for waiting in (*self._waiting, *self._coming):
            if waiting.stop.is_set() and not waiting.place.done():
                waiting.place.set_result(False)
