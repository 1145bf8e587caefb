"""An endpoint that does not keep up: calls that time out make room, lose no question, and are told of."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import pytest

from app.cli.following import HINT_AFTER, LINE_EVERY, RefusalTeller, run_bar
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.predictions.progress import Progress, progress_of
from app.predictions.runs import RunPlan, Terms, plan_run, store_endpoint
from app.predictions.worker import RunWorker
from tests.support.factories import make_version, options_dataset
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import query

QUESTIONS = 16
SLOTS = 8
TAKES = 0.2
ANSWER = {"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]}


class Overloaded:
    """Answers none of the first calls while their client waits; then each in its time, and notes how many are in."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.in_at_once: list[int] = []
        self._arrived = self._in = 0
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Answer:
        with self._lock:
            self._arrived += 1
            is_silent = self._arrived <= SLOTS
            if not is_silent:
                self._in += 1
                self.in_at_once.append(self._in)
        if is_silent:
            self.over.wait(60)
        else:
            time.sleep(TAKES)
            with self._lock:
                self._in -= 1
        return Answer(200, {"Content-Type": "application/json"}, json.dumps(ANSWER).encode())


@contextmanager
def overloaded() -> Iterator[tuple[Overloaded, str]]:
    server = Overloaded()
    with serving_http(server) as url:
        try:
            yield server, f"{url}/v1"
        finally:
            server.over.set()


@pytest.fixture
def impatient(database: Settings) -> Settings:
    waits = {"concurrency": SLOTS, "batch_size": QUESTIONS, "tries": 3, "backoff_seconds": 0.01}
    return database.model_copy(update={**waits, "request_timeout_seconds": 1.5})


def answer_all(settings: Settings, url: str, pace: Mapping[str, int] | None = None) -> Progress:
    """Have a run over QUESTIONS asked of the endpoint, and say how it stands then."""
    now = SystemClock().now()
    version = make_version(settings, options_dataset(QUESTIONS))
    with connect(settings, Role.WORKER) as connection:
        stored = store_endpoint(connection, url, "slow", None, now)
        plan = RunPlan(version.id, "direct", 1, "direct", endpoint_id=stored.id)
        run_id = plan_run(connection, plan, now, settings.batch_size, Terms(pace=pace or {})).id
        connection.commit()
    engine = make_engine(settings, Role.WORKER)
    try:
        RunWorker(engine, settings, SystemClock(), "test", lambda _: None).work()
    finally:
        engine.dispose()
    with connect(settings, Role.WORKER) as connection:
        return progress_of(connection, run_id)


@pytest.mark.long
def test_calls_that_time_out_halve_what_is_asked_at_once_and_lose_no_question(
    impatient: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with overloaded() as (server, url):
        found = answer_all(impatient, url)
    assert found.states["answered"] == QUESTIONS
    assert found.states["error"] == 0
    assert max(server.in_at_once[:SLOTS]) < SLOTS - 1
    failed = query(impatient, "select count(*) from step where state = 'failed'")
    assert failed[0][0] >= HINT_AFTER
    engine = make_engine(impatient, Role.WORKER)
    try:
        teller = RefusalTeller(engine, found.run)
        under_way = replace(found, status="running", states={**found.states, "error": 1})
        teller.look(under_way)
        teller.look(under_way)
    finally:
        engine.dispose()
    said = capsys.readouterr().err
    assert said.count(f"{failed[0][0]} of its calls had no answer in time.") == 1
    assert "--concurrency N" in said
    assert "--timeout SECONDS" in said


class TwoAtOnce:
    """Works on two calls at a time, TAKES seconds each, as a small machine does; the others wait."""

    def __init__(self) -> None:
        self.most = 0
        self._in = 0
        self._lock = threading.Lock()
        self._places = threading.Semaphore(2)

    def __call__(self, request: Request) -> Answer:
        with self._lock:
            self._in += 1
            self.most = max(self.most, self._in)
        with self._places:
            time.sleep(TAKES)
        with self._lock:
            self._in -= 1
        return Answer(200, {"Content-Type": "application/json"}, json.dumps(ANSWER).encode())


def test_a_server_of_two_places_is_asked_as_it_can_answer(impatient: Settings) -> None:
    """Patience of three calls' time: eight at once, as many as the worker may have in flight, would not do."""
    hasty = impatient.model_copy(update={"request_timeout_seconds": 3 * TAKES, "tries": 2})
    server = TwoAtOnce()
    with serving_http(server) as url:
        found = answer_all(hasty, f"{url}/v1")
    assert found.states["answered"] == QUESTIONS
    assert query(impatient, "select count(*) from step where state = 'failed'")[0][0] == 0


def test_what_the_command_line_says_of_the_pace_is_kept(impatient: Settings) -> None:
    server = TwoAtOnce()
    with serving_http(server) as url:
        found = answer_all(impatient, f"{url}/v1", {"concurrency": 1, "timeout_seconds": 9})
    assert (found.states["answered"], server.most) == (QUESTIONS, 1)


def test_a_time_for_an_answer_that_is_too_short_stays_as_it_was_given(impatient: Settings) -> None:
    with overloaded() as (_, url):
        found = answer_all(impatient, url, {"timeout_seconds": 1, "tries": 1})
    assert found.states["error"] > 0
    failed = query(impatient, "select distinct error from step where state = 'failed'")
    assert [row.error for row in failed] == ["the endpoint did not answer within 1 s"]


def test_a_line_every_ten_seconds_where_there_is_no_terminal(
    impatient: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with overloaded() as (server, url):
        server.over.set()
        found = replace(answer_all(impatient, url), status="running")
    now = 1000.0
    monkeypatch.setattr("app.cli.following.time.monotonic", lambda: now)
    with run_bar(found.run) as bar:
        for _ in range(5):
            now += LINE_EVERY / 2
            bar.show(found)
    lines = [line for line in capsys.readouterr().err.splitlines() if line]
    assert len(lines) == 2
    assert all(line.startswith(f"Run {found.run}: asking, {QUESTIONS} of {QUESTIONS} done") for line in lines)
