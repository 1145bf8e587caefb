"""The window of calls in flight grows while latency allows, and calls are waited for as long as the endpoint needs."""

import asyncio
import heapq
from collections import deque
from collections.abc import Iterator
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.inference.chat import Endpoint
from app.inference.limits import Limits
from app.inference.pacing import LocalDesk, Report
from app.inference.patience import LONGEST, LONGEST_UNANSWERED, Patience
from app.inference.shared_pacing import SharedDesk
from app.inference.window import Window
from tests.support.processes import PrivateRedis, private_redis

FIRST, MOST = 2.0, 16.0
PATIENCE = 60.0


def ask(places: int, takes: float, calls: int) -> tuple[float, float, int]:
    """Ask a server that works on `places` calls at a time; the time, the last window, and how many calls timed out."""
    window, patience = Window(FIRST, MOST), Patience(PATIENCE)
    now, left, timed_out = 0.0, calls, 0
    free_at = [0.0] * places
    flying: deque[tuple[float, float, float]] = deque()
    while left or flying:
        while left and len(flying) < int(window.size):
            start = max(now, heapq.heappop(free_at))
            heapq.heappush(free_at, start + takes)
            flying.append((start + takes, now, patience.seconds(0)))
            left -= 1
        end, sent, waited = flying.popleft()
        now = end
        timed_out += end - sent > waited
        patience.note(end - sent)
        window.note(1, end - sent)
    return now, window.size, timed_out


def test_a_quick_endpoint_is_soon_asked_as_much_as_may_be() -> None:
    window = Window(FIRST, MOST)
    rounds = 0
    while window.size < MOST:
        window.note(int(window.size), int(window.size) * 0.3)
        rounds += 1
    assert rounds == 3


def test_a_server_of_two_places_is_not_flooded() -> None:
    """20 s a call and two at a time: sixteen at once would wait 160 s each."""
    seconds, window, timed_out = ask(places=2, takes=20.0, calls=200)
    assert timed_out == 0
    assert window < 10
    assert seconds == pytest.approx(200 * 20.0 / 2, rel=0.01)


@given(places=st.integers(1, 8), takes=st.floats(0.01, 29.0))
@settings(deadline=None)
def test_no_call_times_out_and_no_place_stands_empty_for_long(places: int, takes: float) -> None:
    seconds, window, timed_out = ask(places, takes, 300)
    assert timed_out == 0
    assert seconds <= (300 / places + 10) * takes
    assert window >= min(places, MOST)


def test_refusals_end_the_doubling() -> None:
    window = Window(8.0, MOST)
    window.shrink()
    assert window.size == 4.0
    window.note(4, 0.4)
    assert window.size == 5.0


def test_patience_follows_what_was_seen() -> None:
    patience = Patience(60.0)
    assert [patience.seconds(tries) for tries in (0, 1, 2, 3)] == [
        60.0,
        120.0,
        240.0,
        60 * LONGEST_UNANSWERED,
    ]
    patience.note(50.0)
    assert patience.seconds(0) == 200.0
    assert patience.seconds(9) == 60 * LONGEST


def test_a_time_that_was_given_is_kept() -> None:
    patience = Patience(7.0, is_fixed=True)
    patience.note(6.9)
    assert patience.seconds(3) == 7.0


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    with private_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@given(
    told=st.lists(st.tuples(st.integers(0, 40), st.floats(0.001, 30.0)), min_size=1, max_size=30),
    limited=st.integers(0, 60),
)
@settings(deadline=None, max_examples=60)
def test_redis_decides_as_one_process_does(
    told: list[tuple[int, float]], limited: int, redis: PrivateRedis
) -> None:
    """Whatever is reported, the script in Redis and the class in Python have the same window."""

    async def windows() -> list[tuple[float, float]]:
        limits = Limits(concurrency=int(MOST))
        endpoint = Endpoint("http://h/v1", uuid4().hex)
        shared = SharedDesk(redis.url, endpoint, 16, limits, FIRST)
        alone = LocalDesk(16, limits, window=FIRST)
        found = []
        for number, (answered, latency) in enumerate(told):
            report = Report(0, answered, number == limited, 0.0, 0.0, [], answered * latency)
            found.append(((await shared.turn(report)).window, (await alone.turn(report)).window))
        await shared.close()
        return found

    for one, other in asyncio.run(windows()):
        assert one == pytest.approx(other, abs=1e-6)
