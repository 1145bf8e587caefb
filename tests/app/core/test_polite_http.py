"""The polite client over real HTTP: its pace, its limits, and every way in which a service fails."""

import gzip

import pytest

from app.core import polite_http
from app.core.errors import EndpointRefused, EndpointUnavailable
from app.core.polite_http import PoliteClient, Service
from tests.support.http_server import Answer, Request, serving_http

LARGEST = 1 << 20


class Time:
    """A clock that moves by what is slept, and by `step` at each look."""

    def __init__(self, step: float = 0.0) -> None:
        self.now = 100.0
        self.step = step
        self.slept: list[float] = []

    def look(self) -> float:
        self.now += self.step
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def get(answer: Answer, time: Time | None = None, seconds_between: float = 0.0, times: int = 1) -> object:
    """What the client makes of `times` equal answers, the last one's JSON."""
    time = time or Time()
    service = Service("Test", "TRIGPOINT_TEST_URL", "docs/x.md", LARGEST, 5.0, seconds_between)

    def say(request: Request) -> Answer:
        assert request.agent.startswith("trigpoint/")
        assert "tests@example.org" in request.agent
        return answer

    with serving_http(say) as url:
        client = PoliteClient(service, url, "tests@example.org", time.sleep, time.look)
        found = [client.get(url, {"q": "ä &?"}) for _ in range(times)][-1]
        assert client.requests == times
    return found


def test_requests_keep_apart() -> None:
    time = Time(step=0.125)
    assert get(Answer(200, {}, b"[1]"), time, seconds_between=1.0, times=4) == [1]
    assert len(time.slept) == 3
    assert all(0.5 < seconds < 1.0 for seconds in time.slept), "what has passed anyway is not slept again"


def test_nothing_is_slept_where_no_pace_is_asked_for() -> None:
    time = Time()
    get(Answer(200, {}, b"{}"), time, times=3)
    assert time.slept == []


@pytest.mark.parametrize(
    ("asked", "slept"), [({"Retry-After": "7"}, 7.0), ({}, 5.0), ({"Retry-After": "0"}, 1.0)], ids=str
)
def test_a_busy_service_is_waited_for_as_long_as_it_asks(asked: dict[str, str], slept: float) -> None:
    time = Time()
    with pytest.raises(EndpointUnavailable, match="stays busy"):
        get(Answer(503, asked, b""), time)
    assert time.slept == [slept] * polite_http.WAITS


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, {}, b"1" * (LARGEST + 1)),
        Answer(200, {"Content-Encoding": "gzip"}, gzip.compress(b" " * (64 << 20))),
    ],
    ids=["large", "packed"],
)
def test_what_is_too_large_is_refused(answer: Answer) -> None:
    with pytest.raises(EndpointRefused, match="larger than 1 MB"):
        get(answer)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, {}, b'{"a": 1}', length=50),
        Answer(200, {"Content-Encoding": "gzip"}, b"no gzip"),
    ],
    ids=["short", "unpackable"],
)
def test_what_breaks_off_may_succeed_later(answer: Answer) -> None:
    with pytest.raises(EndpointUnavailable, match="broke off"):
        get(answer)


def test_an_answer_that_drips_is_not_waited_for() -> None:
    with pytest.raises(EndpointUnavailable, match="no whole answer within 60 s"):
        get(Answer(200, {}, b"[" + b" " * (LARGEST - 2) + b"]"), Time(step=45.0))


@pytest.mark.parametrize(("status", "body"), [(400, b"[]"), (500, b"[]"), (200, b"<html>"), (200, b"")])
def test_what_is_no_answer_is_refused(status: int, body: bytes) -> None:
    with pytest.raises(EndpointRefused):
        get(Answer(status, {}, body))
