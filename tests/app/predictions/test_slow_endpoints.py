"""An endpoint that does not keep up: calls that time out make room, lose no question, and are told of."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from app.cli.following import HINT_AFTER, LINE_EVERY, RefusalTeller, run_bar
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.predictions.progress import Progress, progress_of
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from app.predictions.working import Workshop
from tests.factories import make_version, options_dataset
from tests.loopback import Answer, Request, serving_http
from tests.processes import query

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


def answer_all(settings: Settings, url: str) -> Progress:
    """Have a run over QUESTIONS asked of the endpoint, and say how it stands then."""
    now = SystemClock().now()
    version = make_version(settings, options_dataset(QUESTIONS))
    with connect(settings, Role.WORKER) as connection:
        stored = store_endpoint(connection, url, "slow", None, now)
        plan = RunPlan(version.id, "direct", 1, "direct", endpoint_id=stored.id)
        run_id = plan_run(connection, plan, now, settings.batch_size).id
        connection.commit()
    engine = make_engine(settings, Role.WORKER)
    try:
        Workshop(engine, settings, SystemClock(), "test", lambda _: None).work()
    finally:
        engine.dispose()
    with connect(settings, Role.WORKER) as connection:
        return progress_of(connection, run_id)


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
    assert "TRIGPOINT_REQUEST_TIMEOUT_SECONDS" in said


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
