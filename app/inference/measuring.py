"""How many calls at once an endpoint keeps up with: the same small call is made at 1, 2, 4, 8 … at once.

Reads an endpoint; writes nothing. A failure ends the measurement and is a part of it: it raises nothing.
"""

import asyncio
import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from app.inference.chat import ChatClient, Endpoint
from app.inference.limits import UNKNOWN_ANSWER, prompt_tokens, tokens_used
from app.inference.needs import LONGEST_TRIAL, ask_for
from app.inference.outcomes import Failure, Reply
from app.inference.pacing import Pacer
from app.inference.patience import OF_SLOWEST

LONGEST = 180.0
"""Seconds: no round is begun that is likely to end later."""
MOST_REQUESTS = 200
MOST_TOKENS = 20_000
WAVES = 3
"""A round is repeated so often, where its calls are quick …"""
LONG_ENOUGH = 2.0
"""… which they are while the round has taken less than so many seconds."""
GAIN = 1.2
"""Times the best rate so far: with less, more calls at once bring nothing."""
AS_GOOD = 0.9
"""Of the best rate: the fewest calls at once that reach it are suggested."""
TOGETHER = 1.5
"""Times the latency of the quickest calls of a round: a call that took longer had to wait for others."""
QUICK = 0.03
"""Seconds: of a lower median latency a good part is our own, so it says nothing against more calls at once."""
REFILL = 1.0
"""Seconds after which one second's share of a limit a minute is there again."""
WHOLE = 10
"""Seconds: a suggested time is a multiple of it."""


@dataclass(frozen=True)
class Round:
    """So many calls were in flight at once. Latencies and the rate are of those that were answered; None without any.

    `per_second` is the rate at its best: at the end of a round the last calls no longer have company.
    """

    at_once: int
    calls: int
    failures: int
    median_seconds: float | None
    slowest_seconds: float | None
    per_second: float | None


@dataclass(frozen=True)
class Measured:
    """The rounds, why there were no more, what is suggested (None where nothing can be), and what it took."""

    rounds: tuple[Round, ...]
    ended: str
    concurrency: int | None = None
    timeout_seconds: int | None = None
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    without_usage: int = 0

    def as_json(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self) | {"rounds": [asdict(one) for one in self.rounds]}


@dataclass(frozen=True)
class Bounds:
    """At most `at_once` calls at once, for the reason `why`; calls are waited for as long as `timeout_seconds`."""

    at_once: int
    why: str
    timeout_seconds: float


class _Wave(NamedTuple):
    """Calls that left together: the latencies of those answered, from the lowest; `flying` were in flight at once."""

    latencies: list[float]
    failures: list[Failure]
    flying: int


class _Profile(NamedTuple):
    """The latencies of a round's answered calls from the lowest, each the median of its waves; what they come to."""

    latencies: list[float]
    rate: float
    together: int
    slowest: float

    @property
    def is_quick(self) -> bool:
        """Whether its calls were answered too fast to tell whether any had to wait."""
        return statistics.median(self.latencies) < QUICK


def measure_endpoint(
    endpoint: Endpoint,
    bounds: Bounds,
    make_pacer: Callable[[], Pacer],
    tell: Callable[[Round], None] = lambda _: None,
) -> Measured:
    """Measure an endpoint that answers. `tell` hears of each round; the pacer keeps the limits of its record."""
    return asyncio.run(_measure(endpoint, bounds, make_pacer, tell))


async def _measure(
    endpoint: Endpoint, bounds: Bounds, make_pacer: Callable[[], Pacer], tell: Callable[[Round], None]
) -> Measured:
    client, pacer = ChatClient(bounds.timeout_seconds), make_pacer()
    try:
        return await _Measurement(client, endpoint, pacer, bounds).measure(tell)
    finally:
        await pacer.close()
        await client.close()


def keeps_up(measured: Mapping[str, Any]) -> str:
    """What a stored measurement found, and why it ended, in a sentence or two."""
    most, ended = measured["concurrency"], measured["ended"]
    if most is None:
        return f"How many calls at once it keeps up with was not found, since {ended}."
    calls = "1 call" if most == 1 else f"{most:,} calls"
    return f"It keeps up with {calls} at once. The measurement ended since {ended}."


def at_once_until(most: int) -> Iterator[int]:
    """1, 2, 4, 8 … and `most` itself as the last."""
    at_once = 1
    while at_once < most:
        yield at_once
        at_once *= 2
    yield most


def read_latencies(latencies: Sequence[float], at_once: int) -> tuple[float, int]:
    """The rate of calls that left together, and how many of them the endpoint worked on at once. Pure.

    The rate is the highest that holds for at least half of the calls: where an endpoint of three places has four calls,
    the fourth waits for a place and then has the endpoint to itself.
    """
    inorder = sorted(latencies)
    least = min(math.ceil(at_once / 2), len(inorder))
    rates = (count / max(took, 1e-6) for count, took in enumerate(inorder, start=1) if count >= least)
    quick = inorder[min(at_once // 4, len(inorder) - 1)]
    return max(rates), sum(took <= TOGETHER * quick for took in inorder)


class _Measurement:
    """One measurement: what it has used, and the rounds there were."""

    def __init__(self, client: ChatClient, endpoint: Endpoint, pacer: Pacer, bounds: Bounds) -> None:
        self._client = client
        self._endpoint = endpoint
        self._pacer = pacer
        self._bounds = bounds
        self._body = ask_for(endpoint, "Answer with the letter A.")
        self._is_metered = (pacer.limits.requests_per_minute, pacer.limits.tokens_per_minute) != (None, None)
        self._stop = asyncio.Event()
        self._start = asyncio.get_running_loop().time()
        self._flying = self._most_flying = 0
        self._requests = self._prompt = self._completion = self._without_usage = 0
        self._rounds: list[Round] = []
        self._profiles: list[_Profile] = []

    async def measure(self, tell: Callable[[Round], None]) -> Measured:
        """Make rounds until one of the bounds, a failure, or a rate that no longer rises ends it."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(LONGEST, self._stop.set)
        ended, longest_wave = self._bounds.why, 0.0
        try:
            for at_once in at_once_until(self._bounds.at_once):
                if (lacking := self._lacks(at_once, 2 * longest_wave)) is not None:
                    ended = lacking
                    break
                begun = loop.time()
                waves, is_apart = await self._round(at_once)
                longest_wave = (loop.time() - begun) / max(1, len(waves))
                if waves:
                    tell(self._note(at_once, waves))
                if is_apart:
                    self._profiles.clear()  # nobody knows what it does with calls that never came together
                    ended = f"its limits, or other calls, keep {at_once} calls from being in flight at once"
                    break
                if (reason := self._end_of(at_once, waves)) is not None:
                    ended = reason
                    break
        finally:
            timer.cancel()
        return self._told(ended)

    async def _round(self, at_once: int) -> tuple[list[_Wave], bool]:
        """The waves of a round, of which the last may hold failures; whether limits kept its calls apart."""
        loop = asyncio.get_running_loop()
        waves: list[_Wave] = []
        begun = loop.time()
        while not waves or (
            len(waves) < WAVES and loop.time() - begun < LONG_ENOUGH and self._lacks(at_once) is None
        ):
            wave = await self._wave(at_once)
            if wave is None or (wave.flying < at_once and not wave.failures):
                return waves, True
            waves.append(wave)
            if wave.failures:
                break
        return waves, False

    async def _wave(self, at_once: int) -> _Wave | None:
        """Make so many calls at once; None where the time was up before all of them had a place.

        Under a limit a minute each call leaves as soon as it may, since a call that is held back would leave with later
        ones; else none leaves before all may.
        """
        self._most_flying = 0
        if self._is_metered:
            await asyncio.sleep(REFILL)
            made = await asyncio.gather(*(self._call_in_turn() for _ in range(at_once)))
            outcomes = [one for one in made if one is not None]
            if len(outcomes) < at_once:
                return None
        else:
            if not all(await asyncio.gather(*(self._enter() for _ in range(at_once)))):
                return None
            outcomes = list(await asyncio.gather(*(self._call() for _ in range(at_once))))
        answered = sorted((one.latency_ms or 0) / 1000 for one in outcomes if isinstance(one, Reply))
        failures = [one for one in outcomes if isinstance(one, Failure)]
        return _Wave(answered, failures, self._most_flying)

    async def _enter(self) -> bool:
        return await self._pacer.enter(self._stop, self._reckoned)

    async def _call_in_turn(self) -> Reply | Failure | None:
        return await self._call() if await self._enter() else None

    @property
    def _reckoned(self) -> float:
        return self._pacer.reckon(prompt_tokens(self._body), LONGEST_TRIAL)

    async def _call(self) -> Reply | Failure:
        """One call, which has its place. The shared window stays as it is: this was no call of a run."""
        reckoned = self._reckoned
        self._requests += 1
        self._flying += 1
        self._most_flying = max(self._most_flying, self._flying)
        outcome = await self._client.complete(self._endpoint, self._body)
        self._flying -= 1
        used = tokens_used(outcome.usage)
        self._count(outcome, used)
        pause = outcome.retry_after if isinstance(outcome, Failure) else None
        await self._pacer.leave(answered=False, limited=False, pause=pause, reckoned=reckoned, used=used)
        return outcome

    def _count(self, outcome: Reply | Failure, used: float | None) -> None:
        if used is None:
            self._without_usage += isinstance(outcome, Reply) or outcome.timed_out
            return
        usage = outcome.usage or {}
        answer = int(tokens_used({"completion_tokens": usage.get("completion_tokens")}) or 0)
        self._completion += answer
        self._prompt += int(used) - answer

    def _lacks(self, at_once: int, seconds: float = 0.0) -> str | None:
        """Why no wave of so many calls, which may take so long, is begun; None where one may."""
        told = self._prompt + self._completion
        known = self._requests - self._without_usage
        each = told / known if known else UNKNOWN_ANSWER
        if self._requests + at_once > MOST_REQUESTS:
            return f"a measurement makes no more than {MOST_REQUESTS} calls"
        if self._requests and (self._requests + at_once) * each > MOST_TOKENS:
            return f"a measurement takes no more than about {MOST_TOKENS:,} tokens"
        if asyncio.get_running_loop().time() - self._start + seconds > LONGEST:
            return f"{at_once} at once would take more than the {LONGEST:g} s of a measurement"
        return None

    def _note(self, at_once: int, waves: Sequence[_Wave]) -> Round:
        """Store a round: its last wave alone, where calls of it failed."""
        calls = at_once * len(waves)
        failures = sum(len(wave.failures) for wave in waves)
        counted = waves[-1:] if failures else waves
        profile = [
            statistics.median(same) for same in zip(*(wave.latencies for wave in counted), strict=True)
        ]
        if not profile:
            found = Round(at_once, calls, failures, None, None, None)
        else:
            every = [latency for wave in counted for latency in wave.latencies]
            rate, together = read_latencies(profile, at_once)
            self._profiles.append(_Profile(profile, rate, together, max(every)))
            found = Round(
                at_once,
                calls,
                failures,
                round(statistics.median(every), 3),
                round(max(every), 3),
                round(rate, 3),
            )
        self._rounds.append(found)
        return found

    def _end_of(self, at_once: int, waves: Sequence[_Wave]) -> str | None:
        """Why a round was the last; None where another may follow."""
        if failures := waves[-1].failures:
            told = f"{len(failures)} of {at_once} calls at once failed"
            return f"{told}: {failures[0].reason}"
        last = self._profiles[-1]
        before = max((profile.rate for profile in self._profiles[:-1]), default=0.0)
        if last.rate < GAIN * before and not last.is_quick:
            return f"{at_once} at once were answered at hardly a higher rate"
        return None

    def _told(self, ended: str) -> Measured:
        """The measurement with what it suggests."""
        concurrency = timeout = None
        if self._profiles:
            best = max(profile.rate for profile in self._profiles)
            good = next(one for one in self._profiles if one.rate >= AS_GOOD * best)
            quick = [one for one in self._profiles if one.is_quick]
            chosen = max([good, *quick], key=lambda one: len(one.latencies))
            concurrency = len(chosen.latencies) if chosen.is_quick else chosen.together
            waited = max(self._bounds.timeout_seconds, OF_SLOWEST * chosen.slowest)
            timeout = math.ceil(waited / WHOLE) * WHOLE
        return Measured(
            tuple(self._rounds),
            ended,
            concurrency,
            timeout,
            self._requests,
            self._prompt,
            self._completion,
            self._without_usage,
        )
