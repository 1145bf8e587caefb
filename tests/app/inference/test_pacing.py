"""The window of calls in flight: bounded, shrinking under limits, growing with answers, paused where told."""

import asyncio

from app.inference.pacing import Pacer


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
    async def run() -> list[float]:
        pacer, stop = Pacer(8), asyncio.Event()
        windows = []
        await pacer.enter(stop)
        await pacer.leave(answered=False, limited=True)
        windows.append(pacer.window)
        for _ in range(60):
            await pacer.enter(stop)
            await pacer.leave(answered=True, limited=False)
        windows.append(pacer.window)
        return windows

    assert asyncio.run(run()) == [4.0, 8.0]


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
