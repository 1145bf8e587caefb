"""The window of calls in flight: bounded, shrinking under limits, growing with answers, paused where told."""

import asyncio
from bisect import bisect_left
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.inference.limits import Bucket, Limits, prompt_tokens, tokens_used
from app.inference.pacing import Desk, LocalDesk, Pacer, Report, Turn


class Counting(LocalDesk):
    """A desk that counts how often it was asked."""

    turns = 0

    async def turn(self, report: Report) -> Turn:
        self.turns += 1
        return await super().turn(report)


def test_no_more_calls_than_the_window() -> None:
    async def run() -> int:
        pacer, stop = Pacer(3), asyncio.Event()
        most = now = 0

        async def call() -> None:
            nonlocal most, now
            assert await pacer.enter(stop)
            now += 1
            most = max(most, now)
            await asyncio.sleep(0)
            now -= 1
            await pacer.leave(answered=True, limited=False)

        await asyncio.gather(*(call() for _ in range(20)))
        return most

    assert asyncio.run(run()) == 3


def test_limits_halve_the_window_and_answers_open_it_again() -> None:
    async def run() -> None:
        pacer, stop = Pacer(8), asyncio.Event()
        await pacer.enter(stop)
        await pacer.leave(answered=False, limited=True)
        await pacer.enter(stop)
        assert pacer.window == 4.0
        for _ in range(60):
            await pacer.leave(answered=True, limited=False)
            await pacer.enter(stop)
        async with asyncio.timeout(10):
            while pacer.window < 8.0:
                await asyncio.sleep(0.01)

    asyncio.run(run())


def test_a_place_that_is_left_is_taken_again_without_a_word_to_the_desk() -> None:
    async def run(limits: Limits) -> int:
        desk, stop = Counting(2, limits), asyncio.Event()
        pacer = Pacer(2, limits, desk)
        for _ in range(2):
            await pacer.enter(stop)
        await asyncio.sleep(0)
        before = desk.turns
        for _ in range(100):
            await pacer.leave(answered=True, limited=False)
            await pacer.enter(stop)
        return desk.turns - before

    assert asyncio.run(run(Limits())) <= 1
    assert asyncio.run(run(Limits(requests_per_minute=600_000))) >= 50


def test_who_waits_has_the_place_that_is_left_without_a_word_to_the_desk() -> None:
    async def run() -> int:
        desk, stop = Counting(2, Limits()), asyncio.Event()
        pacer = Pacer(2, None, desk)
        for _ in range(2):
            await pacer.enter(stop)
        waiting = [asyncio.create_task(pacer.enter(stop)) for _ in range(40)]
        await asyncio.sleep(0.01)
        before = desk.turns
        for number, task in enumerate(waiting):
            await pacer.leave(answered=True, limited=False)
            assert await task
            assert [other.done() for other in waiting].count(True) == number + 1
        return desk.turns - before

    assert asyncio.run(run()) <= 1


def test_places_that_become_free_while_the_desk_is_asked_are_not_lost() -> None:
    """The desk takes its time; meanwhile all who are in flight come back, and others wait."""

    class Slow(LocalDesk):
        async def turn(self, report: Report) -> Turn:
            turn = await super().turn(report)
            await asyncio.sleep(0.01)
            return turn

    async def run() -> None:
        stop = asyncio.Event()
        pacer = Pacer(4, None, Slow(4, Limits()))

        async def call() -> None:
            for _ in range(20):
                assert await pacer.enter(stop)
                await asyncio.sleep(0.001)
                await pacer.leave(answered=True, limited=False)

        async with asyncio.timeout(20):
            await asyncio.gather(*(call() for _ in range(10)))

    asyncio.run(run())


@pytest.mark.parametrize(
    ("bad", "taken"), [({}, True), ({"limited": True}, False), ({"pause": 60.0}, False)], ids=str
)
def test_while_the_desk_is_asked_a_place_is_taken_again_unless_it_was_refused(
    bad: dict[str, Any], taken: bool
) -> None:
    """The desk does not answer; a call comes back, and another waits. Whatever it says then, a refusal counts."""

    class Silent(LocalDesk):
        asked = asyncio.Event()
        may_speak = asyncio.Event()
        spoken = 0

        async def turn(self, report: Report) -> Turn:
            turn = await super().turn(report)
            if report.in_flight == 2:
                self.asked.set()
                await self.may_speak.wait()
            self.spoken += 1
            return turn

    async def run() -> None:
        stop, desk = asyncio.Event(), Silent(2, Limits())
        pacer = Pacer(2, None, desk)
        await asyncio.gather(*(pacer.enter(stop) for _ in range(2)))
        waiting = asyncio.create_task(pacer.enter(stop))
        try:
            async with asyncio.timeout(20):
                await desk.asked.wait()
                await pacer.leave(answered=not bad, **{"limited": False, **bad})
                await asyncio.sleep(0)
                assert waiting.done() == taken
                before = desk.spoken
                desk.may_speak.set()
                while desk.spoken == before:
                    await asyncio.sleep(0)
                await pacer.leave(answered=True, limited=False)
                if "pause" in bad:
                    with pytest.raises(TimeoutError):
                        await asyncio.wait_for(asyncio.shield(waiting), 0.2)
                else:
                    assert await waiting
        finally:
            desk.may_speak.set()
            stop.set()
            await pacer.close()

    asyncio.run(run())


def test_closing_ends_the_questions_to_the_desk_though_a_call_comes_back_at_that_moment() -> None:
    async def run() -> None:
        stop = asyncio.Event()
        pacer = Pacer(2, None, LocalDesk(2, Limits()))
        await asyncio.gather(*(pacer.enter(stop) for _ in range(2)))
        waiting = asyncio.create_task(pacer.enter(stop))
        async with asyncio.timeout(20):
            for _ in range(10):
                await asyncio.sleep(0)  # the desk has spoken, and is to be asked again when something changes
            await pacer.leave(answered=True, limited=True)
            await pacer.close()
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(run())


def test_a_call_may_be_made_ready_where_few_are_and_nothing_holds_it_back() -> None:
    async def run() -> None:
        pacer, stop = Pacer(2), asyncio.Event()
        await asyncio.gather(*(pacer.enter(stop) for _ in range(2)))
        assert await pacer.come_near(stop)
        assert await pacer.come_near(stop)
        waiting = asyncio.create_task(pacer.enter_ready(stop))
        coming = asyncio.create_task(pacer.come_near(stop))
        await asyncio.sleep(0.01)
        assert not coming.done()
        await pacer.leave(answered=True, limited=False)
        assert await waiting
        assert await coming
        pacer.turn_back()
        assert await pacer.come_near(stop)
        pacer.turn_back()
        await pacer.leave(answered=False, limited=False, pause=60.0)
        assert not await pacer.come_near(stop)
        assert not await Pacer(4, Limits(requests_per_minute=60_000)).come_near(stop)

    asyncio.run(run())


def test_all_places_are_filled_at_once_and_as_many_calls_more_are_made_ready() -> None:
    async def run() -> int:
        pacer, stop = Pacer(8), asyncio.Event()
        coming = [asyncio.create_task(pacer.come_near(stop)) for _ in range(40)]
        await asyncio.sleep(0)
        return sum(task.done() for task in coming)

    assert asyncio.run(run()) == 16


@pytest.mark.parametrize("told", ["stopped", "paused", "cancelled"])
def test_who_waits_to_be_made_ready_is_told_to_wait_no_longer(told: str) -> None:
    async def run() -> None:
        pacer, stop = Pacer(1), asyncio.Event()
        assert await pacer.enter(stop)
        assert await pacer.come_near(stop)
        coming = asyncio.create_task(pacer.come_near(stop))
        await asyncio.sleep(0)
        if told == "stopped":
            stop.set()
            pacer.turn_back()
            assert not await coming
        elif told == "paused":
            await pacer.leave(answered=False, limited=True, pause=60.0)
            assert not await coming
        else:
            coming.cancel()
            with pytest.raises(asyncio.CancelledError):
                await coming
            pacer.turn_back()
            assert await pacer.come_near(stop)

    asyncio.run(run())


def test_who_is_stopped_does_not_wait_behind_others_to_be_made_ready() -> None:
    async def run() -> None:
        pacer, stop, other = Pacer(1), asyncio.Event(), asyncio.Event()
        assert await pacer.enter(stop)
        assert await pacer.come_near(stop)
        first = asyncio.create_task(pacer.come_near(stop))
        second = asyncio.create_task(pacer.come_near(other))
        await asyncio.sleep(0)
        other.set()
        assert not await second
        assert not first.done()
        pacer.turn_back()
        assert await first

    asyncio.run(run())


@given(window=st.integers(1, 8), calls=st.integers(1, 60), limit=st.sampled_from([0, 3, 7]))
def test_however_calls_come_and_go_few_are_ready_and_every_one_leaves(
    window: int, calls: int, limit: int
) -> None:
    """Some are refused, some turn back; none is left behind, and never are more ready than may be in flight."""

    async def run() -> None:
        pacer, stop = Pacer(window), asyncio.Event()
        ready = in_flight = done = 0

        async def call(number: int) -> None:
            nonlocal ready, in_flight, done
            assert await pacer.come_near(stop)
            ready += 1
            assert ready + in_flight <= 2 * window
            await asyncio.sleep(0)
            ready -= 1
            if number % 5 == 4:
                pacer.turn_back()
                done += 1
                return
            ready += 1
            assert await pacer.enter_ready(stop)
            ready, in_flight = ready - 1, in_flight + 1
            assert in_flight <= window
            await asyncio.sleep(0)
            in_flight -= 1
            await pacer.leave(answered=True, limited=bool(limit) and number % limit == 0)
            done += 1

        async with asyncio.timeout(20):
            await asyncio.gather(*(call(number) for number in range(calls)))
        assert done == calls
        await pacer.close()

    asyncio.run(run())


@pytest.mark.parametrize("bad", [{"limited": True}, {"limited": False, "pause": 60.0}])
def test_a_place_that_was_refused_is_not_taken_again_without_a_word_to_the_desk(bad: dict[str, Any]) -> None:
    async def run() -> None:
        pacer, stop = Pacer(8), asyncio.Event()
        await asyncio.gather(*(pacer.enter(stop) for _ in range(8)))
        await pacer.leave(answered=False, **bad)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pacer.enter(stop), 0.2)

    asyncio.run(run())


def test_refusals_of_calls_that_left_together_count_once() -> None:
    async def run() -> None:
        pacer, stop = Pacer(8), asyncio.Event()
        await asyncio.gather(*(pacer.enter(stop) for _ in range(8)))
        for _ in range(8):
            await pacer.leave(answered=False, limited=True)
        await pacer.enter(stop)
        assert pacer.window == 4.0

    asyncio.run(run())


def test_a_pause_holds_everybody_back() -> None:
    async def run() -> float:
        pacer, stop = Pacer(4), asyncio.Event()
        loop = asyncio.get_running_loop()
        await pacer.enter(stop)
        await pacer.leave(answered=False, limited=True, pause=0.2)
        start = loop.time()
        await asyncio.gather(*(pacer.enter(stop) for _ in range(2)))
        return loop.time() - start

    assert asyncio.run(run()) >= 0.19


def test_stopping_frees_those_who_wait() -> None:
    async def run() -> bool:
        pacer, stop = Pacer(1), asyncio.Event()
        await pacer.enter(stop)
        waiting = asyncio.create_task(pacer.enter(stop))
        await asyncio.sleep(0)
        stop.set()
        return await asyncio.wait_for(waiting, 5)

    assert asyncio.run(run()) is False


def test_a_place_given_to_one_who_stops_is_free_again() -> None:
    async def run() -> None:
        pacer, stop = Pacer(1), asyncio.Event()
        stop.set()
        assert await pacer.enter(stop) is False
        assert await asyncio.wait_for(pacer.enter(asyncio.Event()), 5)

    asyncio.run(run())


def test_one_who_is_cancelled_leaves_no_place_taken() -> None:
    async def run() -> None:
        pacer, stop = Pacer(1), asyncio.Event()
        await pacer.enter(stop)
        waiting = [asyncio.create_task(pacer.enter(stop)) for _ in range(3)]
        await asyncio.sleep(0)
        for one in waiting[:2]:
            one.cancel()
        await pacer.leave(answered=True, limited=False)
        assert await asyncio.wait_for(waiting[2], 5)

    asyncio.run(run())


def test_requests_a_minute_hold() -> None:
    """At 1,200 a minute no sooner than 30 calls take: one second's worth is never there at the start."""

    async def run() -> float:
        pacer, stop = Pacer(30, Limits(requests_per_minute=1200)), asyncio.Event()
        start = asyncio.get_running_loop().time()
        await asyncio.gather(*(pacer.enter(stop) for _ in range(30)))
        return asyncio.get_running_loop().time() - start

    assert asyncio.run(run()) >= 30 / (1200 / 61) * 0.99


def test_tokens_a_minute_hold_and_what_was_used_counts() -> None:
    """Calls reckoned at 1 that took 100 make those after them wait."""

    async def run() -> float:
        pacer, stop = Pacer(4, Limits(tokens_per_minute=6100)), asyncio.Event()
        start = asyncio.get_running_loop().time()
        assert await pacer.enter(stop, 1.0)
        await pacer.leave(answered=True, limited=False, reckoned=1.0, used=101.0)
        assert await pacer.enter(stop, 1.0)
        return asyncio.get_running_loop().time() - start

    assert asyncio.run(run()) >= 1.0


def test_what_breaks_the_desk_breaks_those_who_wait() -> None:
    class Broken(Desk):
        async def turn(self, report: Report) -> Turn:
            raise RuntimeError("no desk")

        async def close(self) -> None:
            """Nothing to close."""

    async def run() -> None:
        await Pacer(1, desk=Broken()).enter(asyncio.Event())

    with pytest.raises(RuntimeError, match="no desk"):
        asyncio.run(run())


@given(
    per_minute=st.integers(1, 5000),
    pauses=st.lists(st.floats(0, 20, allow_nan=False), min_size=1, max_size=200),
)
def test_no_minute_holds_more_than_its_allowance(per_minute: int, pauses: list[float]) -> None:
    """Calls as greedy as may be, with pauses in between, over two windows and more."""
    bucket, now, taken = Bucket(per_minute, 0.0), 0.0, []
    for pause in pauses:
        now += pause
        now += bucket.wait(1.0, now) + 1e-9
        while bucket.wait(1.0, now) == 0:
            bucket.take(1.0)
            taken.append(now)
    for first, start in enumerate(taken):
        assert bisect_left(taken, start + 60) - first <= per_minute


def test_what_usage_counts() -> None:
    assert tokens_used({"prompt_tokens": 5, "completion_tokens": 2}) == 7
    assert tokens_used({"prompt_tokens": 5, "completion_tokens": "many"}) == 5
    assert tokens_used({"prompt_tokens": -1}) is None
    assert tokens_used(None) is None
    assert prompt_tokens({"messages": [{"role": "user", "content": "x" * 40}]}) == 10


def test_limits_are_stored_as_they_are_given() -> None:
    limits = Limits(requests_per_minute=60)
    assert Limits.of(limits.as_json() | {"of_later": 1}) == limits
    assert Limits.of({}) == Limits()
