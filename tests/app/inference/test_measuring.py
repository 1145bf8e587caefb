"""How many calls at once an endpoint keeps up with, against servers on loopback of so many places and such a latency."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.inference import measuring
from app.inference.chat import Endpoint
from app.inference.limits import Limits
from app.inference.measuring import (
    Bounds,
    Measured,
    Round,
    at_once_until,
    keeps_up,
    measure_endpoint,
    read_latencies,
)
from app.inference.pacing import Pacer
from tests.support.http_server import Answer, Request, serving_http

TAKES = 0.4
USAGE = {"prompt_tokens": 12, "completion_tokens": 1}
JSON = {"Content-Type": "application/json"}


def ok(usage: dict[str, int] | None = USAGE) -> Answer:
    choice = {"message": {"content": "A"}, "finish_reason": "stop"}
    return Answer(200, JSON, json.dumps({"choices": [choice], "usage": usage}).encode())


class Server:
    """Works on `places` calls at a time, each for TAKES seconds; `crowded` says what it does with a call too many."""

    def __init__(self, places: int, crowded: Callable[[], Answer] | None = None) -> None:
        self.arrived: list[float] = []
        self.bodies: list[dict[str, Any]] = []
        self._places = threading.Semaphore(places)
        self._crowded = crowded

    def __call__(self, request: Request) -> Answer:
        self.arrived.append(time.monotonic())
        self.bodies.append(json.loads(request.body))
        if not self._places.acquire(blocking=self._crowded is None):
            assert self._crowded is not None
            return self._crowded()
        try:
            time.sleep(TAKES)
            return ok()
        finally:
            self._places.release()


@contextmanager
def measurable(answer: Callable[[Request], Answer]) -> Iterator[Endpoint]:
    with serving_http(answer) as url:
        yield Endpoint(f"{url}/v1", "m")


def measured(
    answer: Callable[[Request], Answer],
    most: int = 16,
    limits: Limits | None = None,
    timeout: float = 60.0,
    tell: Callable[[Round], None] = lambda _: None,
) -> Measured:
    with measurable(answer) as endpoint:
        bounds = Bounds(most, f"its record allows {most} at once", timeout)
        return measure_endpoint(endpoint, bounds, lambda: Pacer(most, limits), tell)


@pytest.mark.parametrize("places", [1, 3])
def test_as_many_are_suggested_as_the_server_works_on_at_a_time(places: int) -> None:
    told: list[Round] = []
    found = measured(Server(places), tell=told.append)
    assert (found.concurrency, found.timeout_seconds) == (places, 60)
    assert "hardly a higher rate" in found.ended
    assert list(found.rounds) == told
    assert found.rounds[0].median_seconds == pytest.approx(TAKES, abs=0.3)
    assert found.rounds[-1].at_once >= places
    calls = sum(one.calls for one in found.rounds)
    assert (found.requests, found.prompt_tokens, found.completion_tokens) == (calls, 12 * calls, calls)
    assert keeps_up(found.as_json()).startswith(f"It keeps up with {places} call")


def test_no_more_are_made_at_once_than_the_record_allows() -> None:
    server = Server(50)
    found = measured(server, most=6)
    assert [one.at_once for one in found.rounds] == [1, 2, 4, 6]
    assert (found.concurrency, found.ended) == (6, "its record allows 6 at once")


@pytest.mark.parametrize(
    ("crowded", "timeout", "words"),
    [
        (lambda: Answer(429, {"Retry-After": "1"}, b"slow down"), 60.0, "HTTP 429"),
        (lambda: (time.sleep(4), ok())[1], 2.0, "did not answer within 2 s"),
    ],
)
def test_the_first_call_that_the_server_has_no_room_for_ends_it(
    crowded: Callable[[], Answer], timeout: float, words: str
) -> None:
    found = measured(Server(3, crowded), timeout=timeout)
    assert found.concurrency == 3
    assert (
        f"1 of 4 calls at once failed: the endpoint {'answered ' if 'HTTP' in words else ''}{words}"
        in found.ended
    )
    assert [one.failures for one in found.rounds] == [0, 0, 1]
    assert found.rounds[-1].calls == 4


def test_a_server_whose_latencies_are_mostly_our_own_is_asked_more_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring, "QUICK", 60.0)
    found = measured(Server(1), most=4)
    assert [one.at_once for one in found.rounds] == [1, 2, 4]
    assert (found.concurrency, found.ended) == (4, "its record allows 4 at once")


def test_what_fails_from_the_start_suggests_nothing() -> None:
    found = measured(lambda request: Answer(500, {}, b"out of memory"))
    assert (found.concurrency, found.timeout_seconds, found.requests) == (None, None, 1)
    assert found.rounds == (Round(1, 1, 1, None, None, None),)
    assert "out of memory" in keeps_up(found.as_json())


def test_a_slow_answer_asks_for_more_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "WHOLE", 1)
    found = measured(Server(1), timeout=1.0)
    assert found.concurrency == 1
    assert found.timeout_seconds is not None
    assert found.timeout_seconds >= max(2, 4 * (found.rounds[0].slowest_seconds or 0))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MOST_REQUESTS", 8, "no more than 8 calls"),
        ("MOST_TOKENS", 8 * 13, "no more than about 104 tokens"),
        ("LONGEST", 1.0, "would take more than the 1 s"),
    ],
)
def test_a_measurement_has_bounds(
    monkeypatch: pytest.MonkeyPatch, name: str, value: float, words: str
) -> None:
    monkeypatch.setattr(measuring, name, value)
    monkeypatch.setattr(measuring, "LONG_ENOUGH", 0.1)
    server = Server(50)
    found = measured(server)
    assert words in found.ended
    assert found.requests == len(server.arrived) <= 8
    assert found.concurrency == found.rounds[-1].at_once


def test_a_limit_a_minute_holds_and_then_nothing_is_suggested() -> None:
    """One a second: calls of less than half a second never meet, so nothing is known of two at once."""
    server = Server(50)
    found = measured(server, limits=Limits(requests_per_minute=60))
    assert "keep 2 calls from being in flight at once" in found.ended
    assert (found.concurrency, found.timeout_seconds) == (None, None)
    gaps = [after - before for before, after in pairwise(server.arrived)]
    assert len(gaps) >= 2
    assert min(gaps) > 0.8


def test_calls_without_a_count_of_tokens_are_counted() -> None:
    found = measured(lambda request: ok(None), most=2)
    assert (found.prompt_tokens, found.completion_tokens) == (0, 0)
    assert found.without_usage == found.requests > 0


def test_each_call_is_as_the_body_of_the_endpoint_says() -> None:
    server = Server(2)
    with measurable(server) as endpoint:
        shaped = replace(endpoint, body={"seed": None, "top_p": 0.5})
        measure_endpoint(shaped, Bounds(2, "two", 60.0), lambda: Pacer(2))
    assert {json.dumps(body, sort_keys=True) for body in server.bodies} == {
        json.dumps(server.bodies[0], sort_keys=True)
    }
    assert ("seed" in server.bodies[0], server.bodies[0]["top_p"]) == (False, 0.5)


def queued(places: int, at_once: int, takes: float) -> list[float]:
    """Latencies of calls that come together to a server of so many places, each call at its full speed."""
    return [takes * (number // places + 1) for number in range(at_once)]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 32), st.floats(0.01, 60), st.randoms(use_true_random=False))
def test_the_places_of_a_server_are_read_from_latencies(places: int, takes: float, chance: Random) -> None:
    """In the first round that holds more calls than half of its places, and in the next one."""
    at_once = 1
    while at_once < places:
        at_once *= 2
    for size in (at_once, 2 * at_once):
        noisy = [one * chance.uniform(0.97, 1.03) for one in queued(places, size, takes)]
        rate, together = read_latencies(noisy, size)
        assert together == places
        assert rate == pytest.approx(places / takes, rel=0.1)


@settings(deadline=None)
@given(st.integers(1, 500))
def test_rounds_double_up_to_the_most(most: int) -> None:
    sizes = list(at_once_until(most))
    assert (sizes[0], sizes[-1]) == (1, most)
    assert all(before < after <= 2 * before for before, after in pairwise(sizes))


def test_a_pacer_is_closed_whatever_happens() -> None:
    closed: list[bool] = []

    class Noted(Pacer):
        async def close(self) -> None:
            closed.append(True)
            await super().close()

    def break_down(one: Round) -> None:
        raise KeyboardInterrupt

    with measurable(Server(1)) as endpoint, pytest.raises((KeyboardInterrupt, asyncio.CancelledError)):
        measure_endpoint(endpoint, Bounds(2, "two", 5.0), lambda: Noted(2), break_down)
    assert closed == [True]
