"""One pace for several processes: real Redis, real processes, an endpoint on loopback that counts what it is asked."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import PROJECT_ROOT
from app.inference.chat import Endpoint
from app.inference.limits import Limits
from app.inference.pacing import Report
from app.inference.shared_pacing import LIFE, SharedDesk, make_pacer
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import PrivateRedis, free_port, private_redis, wait_until

CALLERS = Path(__file__).with_name("callers.py")
GOOD = json.dumps({"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]}).encode()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[PrivateRedis]:
    with private_redis(tmp_path) as server:
        yield server


class Counting:
    """Answers after `seconds`, and knows when it was asked and how many calls were there at once."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.refuse_first = False
        self.asked: list[float] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Answer:
        with self._lock:
            self.asked.append(time.monotonic())
            self._now += 1
            self.most = max(self.most, self._now)
            refuse = self.refuse_first and len(self.asked) == 1
        time.sleep(self.seconds)
        with self._lock:
            self._now -= 1
        if refuse:
            return Answer(429, {"Retry-After": "1.5"}, b"slow down")
        return Answer(200, {"Content-Type": "application/json"}, GOOD)


class Callers:
    """Processes that call an endpoint."""

    def __init__(self, redis: PrivateRedis, endpoint: str) -> None:
        self._arguments = [redis.url, f"{endpoint}/v1"]
        self._processes: list[subprocess.Popen[str]] = []

    def start(self, calls: int, slots: int, **limits: int) -> None:
        command = [sys.executable, str(CALLERS), *self._arguments, str(calls), str(slots), json.dumps(limits)]
        self._processes.append(
            subprocess.Popen(
                command, cwd=PROJECT_ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
        )

    def wait(self) -> list[str]:
        """What each printed; each must have made its calls."""
        printed = [process.communicate(timeout=60)[0] for process in self._processes]
        assert [process.returncode for process in self._processes] == [0] * len(printed), printed
        return printed


@pytest.fixture
def start(redis: PrivateRedis) -> Iterator[Any]:
    """Starts a counting endpoint and gives it with its callers."""
    with ExitStack() as stack:

        def begin(counting: Counting) -> Callers:
            return Callers(redis, stack.enter_context(serving_http(counting)))

        yield begin


def test_requests_a_minute_hold_over_two_processes(start: Any) -> None:
    """40 calls at 600 a minute, of which a second's worth may come at once: each process alone would take half."""
    endpoint = Counting()
    callers = start(endpoint)
    for _ in range(2):
        callers.start(20, 8, requests_per_minute=600)
    callers.wait()
    assert len(endpoint.asked) == 40
    assert endpoint.asked[-1] - endpoint.asked[0] >= (40 - 1 - 600 / 61) / (600 / 61) * 0.9


def test_calls_in_flight_hold_over_two_processes(start: Any) -> None:
    endpoint = Counting(seconds=0.02)
    callers = start(endpoint)
    for _ in range(2):
        callers.start(40, 8, concurrency=3)
    callers.wait()
    assert (len(endpoint.asked), endpoint.most) == (80, 3)


def test_a_pause_holds_back_the_other_process(start: Any) -> None:
    endpoint = Counting()
    endpoint.refuse_first = True
    callers = start(endpoint)
    callers.start(6, 1)
    wait_until(lambda: endpoint.asked, "the call that is refused")
    callers.start(6, 1)
    callers.wait()
    assert len(endpoint.asked) == 13
    assert endpoint.asked[1] - endpoint.asked[0] >= 1.4


def test_redis_may_vanish_and_return(start: Any, redis: PrivateRedis) -> None:
    """Nothing fails; alone, each keeps to half of the limit; together again, they share it."""
    endpoint = Counting()
    callers = start(endpoint)
    for _ in range(2):
        callers.start(40, 8, requests_per_minute=900)
    wait_until(lambda: len(endpoint.asked) >= 15, "the first calls")
    redis.kill()
    killed_at = len(endpoint.asked)
    wait_until(lambda: len(endpoint.asked) >= killed_at + 15, "calls without Redis")
    redis.start()
    printed = callers.wait()
    assert len(endpoint.asked) == 80
    rate = 900 / 61
    assert endpoint.asked[-1] - endpoint.asked[0] >= (80 - 1 - rate) / rate * 0.9
    for one in printed:
        assert "keeps to its share of the limits" in one
        assert "1/2" in one
        assert "limits are shared again" in one


def test_without_redis_from_the_start_calls_go_on() -> None:
    async def run() -> None:
        url = f"redis://127.0.0.1:{free_port()}/0"
        pacer = make_pacer(url, Endpoint("http://h/v1", "m"), 2, Limits())
        assert await asyncio.wait_for(pacer.enter(asyncio.Event()), 5)
        await pacer.leave(answered=True, limited=False)
        await pacer.close()

    asyncio.run(run())


def test_a_broker_that_is_no_redis_is_not_shared() -> None:
    async def run() -> None:
        pacer = make_pacer("sentinel://h:1/0", Endpoint("http://h/v1", "m"), 2, Limits())
        assert await asyncio.wait_for(pacer.enter(asyncio.Event()), 5)
        await pacer.leave(answered=True, limited=False)
        await pacer.close()

    asyncio.run(run())


def test_the_window_is_one_for_all(redis: PrivateRedis) -> None:
    """A refusal that one process met halves what the other may have in flight."""

    async def run() -> None:
        endpoint, stop = Endpoint("http://h/v1", "m"), asyncio.Event()
        one, two = (make_pacer(redis.url, endpoint, 8, Limits(concurrency=8)) for _ in range(2))
        await one.enter(stop)
        await one.leave(answered=False, limited=True)
        assert await one.enter(stop)
        assert await two.enter(stop)
        assert (one.window, two.window) == (4.0, 4.0)
        assert await two.enter(stop)
        waiting = asyncio.create_task(two.enter(stop))
        assert not (await asyncio.wait((waiting,), timeout=0.3))[0]  # two of four are the other's share
        stop.set()
        assert await waiting is False
        for pacer in (one, two):
            await pacer.close()

    asyncio.run(run())


def test_in_a_pause_no_place_that_is_left_is_taken_again_by_any_process(redis: PrivateRedis) -> None:
    async def run() -> None:
        endpoint = Endpoint("http://h/v1", "m")
        told, other = (SharedDesk(redis.url, endpoint, 4, Limits()) for _ in range(2))
        assert (await other.turn(Report(0, 0, False, 0.0, 0.0, [0.0, 0.0]))).places == 2
        await told.turn(Report(2, 0, False, 60.0, 0.0, []))
        assert await other.turn(Report(2, 0, False, 0.0, 0.0, [0.0])) == (
            0,
            pytest.approx(60, abs=20),
            8.0,
            0,
        )
        for desk in (told, other):
            await desk.close()

    asyncio.run(run())


def test_calls_of_a_process_that_died_are_over(redis: PrivateRedis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.inference.shared_pacing.LIFE", 0.3)
    assert LIFE > 3

    async def run() -> None:
        endpoint, stop = Endpoint("http://h/v1", "m"), asyncio.Event()
        gone = SharedDesk(redis.url, endpoint, 2, Limits(concurrency=1))
        turn = await gone.turn(Report(0, 0, False, 0.0, 0.0, [0.0]))
        assert turn.granted == 1
        pacer = make_pacer(redis.url, endpoint, 2, Limits(concurrency=1))
        assert await asyncio.wait_for(pacer.enter(stop), 10)
        await pacer.close()
        await gone.close()

    asyncio.run(run())


def test_a_trial_keeps_to_the_limits_alone_and_leaves_the_window_of_runs(redis: PrivateRedis) -> None:
    async def run() -> None:
        endpoint, limits = Endpoint("http://h/v1", "m"), Limits(concurrency=8)
        ran = SharedDesk(redis.url, endpoint, 8, limits, 8.0)
        assert (await ran.turn(Report(0, 0, True, 0.0, 0.0, [0.0]))).window == 4.0
        trial = SharedDesk(redis.url, endpoint, 8, limits, 2.0, is_trial=True)
        assert (await trial.turn(Report(0, 0, False, 0.0, 0.0, [0.0] * 10))).granted == 7
        await trial.close()
        assert (await ran.turn(Report(0, 0, False, 0.0, 0.0, []))).window == 4.0
        await ran.close()

    asyncio.run(run())
