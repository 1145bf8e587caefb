"""Endpoints as records: added, checked, changed, run against, limited over workers; real processes, broker, database."""

import json
import re
import shlex
import signal
import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import text

from app.cli.local_worker import worker_environment
from app.cli.main import build_application
from app.core.clock import SystemClock
from app.core.errors import TrigpointError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.measuring import Round
from app.predictions.checks import check_stored
from tests.support.factories import make_version, mixed_dataset, options_dataset
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import PrivateRedis, Scripted, Workers, free_port, query, scalar, wait_until
from tests.support.runs import check_whole, wait_for_end

Command = Callable[..., dict[str, Any]]


@pytest.fixture
def trigpoint(
    quick: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Runs a command in this process and gives the JSON that it prints."""
    for name, value in worker_environment(quick).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> dict[str, Any]:
        capsys.readouterr()
        build_application(arguments)([*arguments, "--json"], standalone_mode=False)
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return run


def refused(trigpoint: Command, *arguments: str) -> str:
    with pytest.raises(TrigpointError) as raised:
        trigpoint(*arguments)
    return str(raised.value)


def test_a_record_is_added_changed_and_listed(trigpoint: Command) -> None:
    url = "http://127.0.0.1:9/v1"
    add = ("endpoint", "add", "home", "--url", f"{url}/chat/completions", "--model", "m")
    priced = (*add, "--requests-per-minute", "60", "--prompt-price", "0.15", "--completion-price", "0.6")
    assert trigpoint(*add)["added"] == "new"
    assert trigpoint(*add)["added"] == "same"
    changed = trigpoint(*priced, "--key-variable", "HOME_KEY")
    assert changed == {
        "added": "changed",
        "body": None,
        "by_name": True,
        "checked_at": None,
        "health": None,
        "key_variable": "HOME_KEY",
        "limits": {"requests_per_minute": 60},
        "model": "m",
        "name": "home",
        "prices": {"completion": "0.6", "currency": "USD", "prompt": "0.15"},
        "revision": None,
        "runs": 0,
        "url": url,
    }
    assert trigpoint(*add, "--revision", "abc")["added"] == "another"
    assert trigpoint(*add, "--revision", "def")["added"] == "another"
    assert trigpoint(*add, "--revision", "abc")["added"] == "earlier"
    listed = trigpoint("endpoint", "list")["endpoints"]
    assert [(one["name"], one["revision"]) for one in listed] == [("home", "abc")]


def test_what_cannot_be_a_record_is_one_sentence(
    trigpoint: Command, endpoint: Callable[..., Scripted]
) -> None:
    add = ("endpoint", "add", "home", "--model", "m", "--url")
    assert "is not a name for an endpoint" in refused(
        trigpoint, "endpoint", "add", "a b", "--url", "http://h/v1"
    )
    assert "is not a URL" in refused(trigpoint, *add, "localhost:8000")
    assert "together; one of them may be 0" in refused(trigpoint, *add, "http://h/v1", "--prompt-price", "1")
    prices = ("--prompt-price", "1", "--completion-price", "inf")
    assert "A price is a number" in refused(trigpoint, *add, "http://h/v1", *prices)
    prices = ("--prompt-price", "1", "--completion-price", "1", "--currency", "$")
    assert "not a currency" in refused(trigpoint, *add, "http://h/v1", *prices)
    nowhere = f"http://127.0.0.1:{free_port()}/v1"
    assert "cannot be reached" in refused(trigpoint, "endpoint", "add", "home", "--url", nowhere)
    keyed = ("endpoint", "add", "home", "--url", nowhere, "--key-variable", "NOT_SET")
    assert "NOT_SET is not set" in refused(trigpoint, *keyed)
    assert "There is no endpoint 'home'" in refused(trigpoint, "endpoint", "check", "home")
    assert trigpoint("endpoint", "list") == {"endpoints": []}
    assert trigpoint("endpoint", "add", "home", "--url", endpoint("html").url, "--model", "m")["model"] == "m"


def test_a_check_says_what_the_endpoint_is(trigpoint: Command, endpoint: Callable[..., Scripted]) -> None:
    trigpoint("endpoint", "add", "home", "--url", endpoint("first_option").url)
    record = trigpoint("endpoint", "check", "home")
    health = record["health"]
    assert record["model"] == "scripted:first_option"
    assert (health["state"], health["engine"]) == ("ok", "trigpoint 0.1.0")
    assert health["guides"] == ["structured_outputs", "guided_choice"]
    assert set(health["abilities"].values()) == {"no"}
    assert health["remarks"][0] == "It was offered a tool and did not call it."
    assert health["context"] is None
    assert trigpoint("endpoint", "show", "home") == record, "the last check is shown again"
    assert 0 <= health["latency_ms"] < 20_000
    assert datetime.fromisoformat(record["checked_at"]).tzinfo is not None


@pytest.mark.parametrize(
    ("policy", "model", "words"),
    [
        ("html", "m", "web page"),
        ("first_option", "gpt", "does not know the model 'gpt'"),
        ("failing", "scripted:failing", "HTTP 500"),
        ("truncated", "scripted:truncated", "not JSON"),
    ],
)
def test_a_failed_check_is_stored_and_said(
    quick: Settings,
    trigpoint: Command,
    endpoint: Callable[..., Scripted],
    policy: str,
    model: str,
    words: str,
) -> None:
    trigpoint("endpoint", "add", "home", "--url", endpoint(policy).url, "--model", model)
    arguments = ["endpoint", "check", "home", "--json"]
    assert build_application(arguments)(arguments, standalone_mode=False) == 1
    health = scalar(quick, "select health from endpoint where name = 'home'")
    assert health["state"] == "failed"
    assert words in health["said"]


class OfTwoPlaces:
    """Answers two calls at a time, a tenth of a second each; `requests` are the calls that came."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._places = threading.Semaphore(2)

    def __call__(self, request: Request) -> Answer:
        if request.path.endswith("/models"):
            return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')
        if not request.body:
            return Answer(404, {}, b"no such page")
        self.requests.append(request)
        with self._places:
            time.sleep(0.1)
        choice = {"message": {"content": "A"}, "finish_reason": "stop"}
        told = {"choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 1}}
        return Answer(200, {"Content-Type": "application/json"}, json.dumps(told).encode())


def test_a_check_measures_and_names_the_commands_that_follow_it(
    quick: Settings, trigpoint: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the commands name is kept of the record: its key's variable, prices, limits and body."""
    monkeypatch.setenv("HOME_KEY", "sk-very-secret")
    server = OfTwoPlaces()
    with serving_http(server) as url:
        add = f"endpoint add home --url {url}/v1 --revision abc --key-variable HOME_KEY --tries 3"
        more = "--prompt-price 1.5 --completion-price 2 --body '{\"top_p\": 0.5}'"
        trigpoint(*shlex.split(f"{add} {more}"))
        before = trigpoint("endpoint", "check", "home")
        measured = before["health"]["measured"]
        calls = sum(one["calls"] for one in measured["rounds"])
        assert measured["concurrency"] == 2
        assert [one["at_once"] for one in measured["rounds"]][:3] == [1, 2, 4]
        assert (measured["requests"], measured["prompt_tokens"]) == (calls, 10 * calls)
        assert calls < len(server.requests) < calls + 10
        assert measured["cost"] == {"amount": pytest.approx(17e-6 * calls), "currency": "USD"}
        check = ["endpoint", "check", "home"]
        build_application(check)(check, standalone_mode=False)
        printed = capsys.readouterr()
    told = " ".join(printed.err.split())
    seconds = round(quick.request_timeout_seconds)
    pace = f"--concurrency 2 --timeout {seconds}"
    assert "Measured with 2 at once" in told
    assert f"`trigpoint evaluate DATASET --solver direct --endpoint home {pace}`" in told
    assert re.search(r"took \d+ calls, \d+ tokens of prompts and \d+ of answers, 0\.00\d+ USD\.", told)
    assert "calls at once" in printed.out
    words = shlex.split(re.findall(r"`(trigpoint endpoint add [^`]*)`", printed.err)[-1])
    after = trigpoint(*words[1:])
    assert (after["added"], after["limits"]) == (
        "changed",
        {"tries": 3, "concurrency": 2, "timeout_seconds": seconds},
    )
    kept = ("url", "model", "revision", "key_variable", "prices", "body")
    assert [after[name] for name in kept] == [before[name] for name in kept]


def test_a_check_that_is_ended_while_it_measures_has_stored_what_it_found(
    quick: Settings, trigpoint: Command
) -> None:
    def interrupt(one: Round) -> None:
        raise KeyboardInterrupt

    with serving_http(OfTwoPlaces()) as url:
        trigpoint("endpoint", "add", "home", "--url", f"{url}/v1")
        with connect(quick, Role.WORKER) as connection, pytest.raises(KeyboardInterrupt):
            check_stored(connection, "home", quick, SystemClock(), interrupt)
    health = scalar(quick, "select health from endpoint where name = 'home'")
    assert (health["state"], health["measured"]) == ("ok", None)


def test_a_check_waits_for_answers_as_long_as_the_record_says(quick: Settings, trigpoint: Command) -> None:
    over = threading.Event()

    def answer(request: Request) -> Answer:
        if not request.path.endswith("/models"):
            over.wait(30)
        return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')

    with serving_http(answer) as url:
        trigpoint("endpoint", "add", "home", "--url", f"{url}/v1", "--timeout", "2")
        check = ["endpoint", "check", "home", "--json"]
        assert build_application(check)(check, standalone_mode=False) == 1
        over.set()
    health = scalar(quick, "select health from endpoint where name = 'home'")
    assert "did not answer within 2 s" in health["said"]
    assert health["measured"] is None


def test_a_failure_while_it_is_measured_fails_no_check(trigpoint: Command) -> None:
    """The server answers one call at a time, and breaks with the second."""
    lock = threading.Lock()

    def answer(request: Request) -> Answer:
        if request.path.endswith("/models"):
            return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')
        if not lock.acquire(blocking=False):
            return Answer(500, {}, b"out of memory")
        time.sleep(0.1)
        lock.release()
        choice = {"message": {"content": "A"}, "finish_reason": "stop"}
        return Answer(200, {"Content-Type": "application/json"}, json.dumps({"choices": [choice]}).encode())

    with serving_http(answer) as url:
        trigpoint("endpoint", "add", "home", "--url", f"{url}/v1", "--model", "m")
        health = trigpoint("endpoint", "check", "home")["health"]
    assert (health["state"], health["measured"]["concurrency"]) == ("ok", 1)
    assert "1 of 2 calls at once failed" in health["measured"]["ended"]
    assert "out of memory" in health["measured"]["ended"]


def test_an_endpoint_that_a_run_asks_is_not_measured(
    quick: Settings, trigpoint: Command, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, options_dataset(3))
    trigpoint("endpoint", "add", "home", "--url", endpoint("first_option").url)
    evaluate = ("evaluate", version.reference, "--solver", "direct", "--endpoint", "home")
    run = trigpoint(*evaluate, "--detach")["run"]
    leased = "update batch set state = 'leased', deadline = now() + interval '1 minute' where run_id = :run"
    with connect(quick, Role.WORKER) as connection:
        connection.execute(text(leased), {"run": run})
        connection.commit()
    health = trigpoint("endpoint", "check", "home")["health"]
    assert (health["state"], health["measured"]["rounds"]) == ("ok", [])
    assert f"run {run} asks this endpoint now" in health["measured"]["ended"]


@pytest.mark.long
def test_a_run_pins_what_it_asked_and_what_that_cost(
    quick: Settings, trigpoint: Command, endpoint: Callable[..., Scripted], workers: Workers
) -> None:
    version = make_version(quick, options_dataset(6))
    workers.start()
    server, other = endpoint("first_option"), endpoint("does_not_know")
    add = ("endpoint", "add", "home", "--url", server.url)
    price = ("--prompt-price", "2", "--completion-price", "1000000")
    trigpoint(*add, *price)
    evaluate = ("evaluate", version.reference, "--solver", "direct", "--endpoint", "home")
    run = trigpoint(*evaluate)["run"]
    shown = trigpoint("run", "show", str(run))
    prompts = sum(row[0]["prompt_tokens"] for row in query(quick, "select usage from step"))
    assert shown["usage"] == {"completion_tokens": 6, "prompt_tokens": prompts, "without_usage": 0}
    assert shown["cost"]["amount"] == pytest.approx(6 + prompts * 2 / 1e6)
    assert shown["endpoint"] == {
        "model": "scripted:first_option",
        "name": "home",
        "revision": None,
        "url": server.url,
    }
    trigpoint(*add)
    assert trigpoint("run", "show", str(run))["cost"] == shown["cost"]
    trigpoint("endpoint", "add", "home", "--url", other.url)
    again = trigpoint("run", "show", str(run))
    assert again["cost"] == shown["cost"]
    assert again["endpoint"] == shown["endpoint"] | {"name": "home#1"}
    second = trigpoint(*evaluate)
    assert (second["run"] != run, second["states"]["no_answer"]) == (True, 6)
    trigpoint(*add)
    assert trigpoint(*evaluate)["run"] == run
    assert len(server.requests()) == 6


@pytest.mark.long
def test_revisions_are_rows_of_their_own(
    quick: Settings, trigpoint: Command, endpoint: Callable[..., Scripted], workers: Workers
) -> None:
    version = make_version(quick, options_dataset(4))
    workers.start()
    add = ("endpoint", "add", "home", "--url", endpoint("first_option").url, "--revision")
    for revision in ("r1", "r2"):
        trigpoint(*add, revision)
        trigpoint("evaluate", version.reference, "--solver", "direct", "--endpoint", "home")
    assert [row[0] for row in query(quick, "select label from run order by id")] == [
        "scripted:first_option (revision r1)",
        "scripted:first_option (revision r2)",
    ]


def test_every_attempt_is_a_step(
    quick: Settings, trigpoint: Command, endpoint: Callable[..., Scripted], workers: Workers
) -> None:
    version = make_version(quick, options_dataset(4))
    workers.start()
    trigpoint("endpoint", "add", "home", "--url", endpoint("rate_limited", "--retry-after", "0.05").url)
    assert scalar(quick, "select count(*) from endpoint where health is null") == 1
    query(quick, 'update endpoint set health = \'{"engine": "vllm 0.11.0"}\'')
    trigpoint("evaluate", version.reference, "--solver", "direct", "--endpoint", "home")
    steps = query(
        quick,
        "select state, http_status, finish_reason, engine, latency_ms >= 0, usage is not null, count(*)"
        " from step group by 1, 2, 3, 4, 5, 6 order by 1",
    )
    assert [tuple(row) for row in steps] == [
        ("done", 200, "stop", "vllm 0.11.0", True, True, 4),
        ("failed", 429, None, None, True, False, 4),
    ]


@pytest.mark.long
def test_guided_runs_are_runs_of_their_own(
    quick: Settings, trigpoint: Command, endpoint: Callable[..., Scripted], workers: Workers
) -> None:
    """Nonsense becomes a letter; free questions of the same data set stay as they are."""
    version = make_version(quick, [*options_dataset(4), *mixed_dataset()])
    workers.start()
    server = endpoint("garbage")
    direct = ("evaluate", version.reference, "--solver", "direct", "--endpoint")
    assert "wants an endpoint that was checked" in refused(trigpoint, *direct, server.url, "--guided")
    trigpoint("endpoint", "add", "home", "--url", server.url)
    assert "'home' has not been checked" in refused(trigpoint, *direct, "home", "--guided")
    trigpoint("endpoint", "check", "home")
    run = trigpoint(*direct, "home", "--guided")["run"]
    assert trigpoint(*direct, "home")["run"] != run
    assert (
        scalar(quick, "select sampling ->> 'guided' from run where id = :id", id=run) == "structured_outputs"
    )
    assert scalar(quick, "select label from run where id = :id", id=run) == "scripted:garbage (guided)"
    said = query(
        quick,
        "select answer, (options is not null) as choice, count(*) from prediction"
        " join question on question.id = question_id where run_id = :id group by 1, 2 order by 2",
        id=run,
    )
    assert [tuple(row)[:2] for row in said] == [
        ("purple marmalade orbits the seventh umbrella", False),
        ("A", True),
    ]
    sent = query(
        quick,
        "select distinct request -> 'structured_outputs', request -> 'guided' from step where run_id = :id",
        id=run,
    )
    assert sorted(map(str, (tuple(row) for row in sent))) == [
        "(None, None)",
        "({'choice': ['A', 'B', 'C', 'D']}, None)",
    ]


def test_guided_is_refused_where_it_means_nothing(
    quick: Settings, trigpoint: Command, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, mixed_dataset(), name="free")
    trigpoint("endpoint", "add", "home", "--url", endpoint("first_option").url)
    trigpoint("endpoint", "check", "home")
    free = refused(
        trigpoint, "evaluate", version.reference, "--solver", "direct", "--endpoint", "home", "--guided"
    )
    assert "No question of this data set has options" in free
    oracle = refused(trigpoint, "evaluate", version.reference, "--solver", "oracle", "--guided")
    assert "does not use an endpoint; remove --guided" in oracle


def test_an_answer_that_the_budget_cut_off_is_flagged(
    quick: Settings, trigpoint: Command, workers: Workers, capsys: pytest.CaptureFixture[str]
) -> None:
    """One question's answer is empty, one's ends in its thoughts, one's is cut off but there: people are warned."""
    version = make_version(quick, options_dataset(3))
    workers.start()
    contents = iter(["", "<think>first, the map", "It is A, since"])

    def answer(request: Request) -> Answer:
        if request.path.endswith("/models"):
            return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')
        choice = {"message": {"content": next(contents)}, "finish_reason": "length"}
        return Answer(200, {"Content-Type": "application/json"}, json.dumps({"choices": [choice]}).encode())

    with serving_http(answer) as url:
        evaluate = ("evaluate", version.reference, "--solver", "direct", "--endpoint", f"{url}/v1")
        run = trigpoint(*evaluate)
        build_application(evaluate)([*evaluate], standalone_mode=False)
        warned = " ".join(capsys.readouterr().err.split())
    assert run["states"] == {"answered": 1, "error": 0, "no_answer": 2}
    assert "limit on tokens was reached: 3 of 3 answers" in warned
    assert "larger `--max-tokens`" in warned
    shown = trigpoint("run", "show", str(run["run"]))
    assert (shown["truncated"], shown["usage"]["without_usage"], shown["cost"]) == (3, 3, None)
    show = ("run", "show", str(run["run"]))
    build_application(show)([*show], standalone_mode=False)
    assert "3 of 3 answers" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("retry_after", [None, "soon", "0.2"])
@pytest.mark.long
def test_a_storm_of_refusals_is_weathered(
    quick: Settings, trigpoint: Command, workers: Workers, retry_after: str | None
) -> None:
    """The first 16 calls are refused, with no wait, one that cannot be read, and a short one."""
    version = make_version(quick, options_dataset(12))
    workers.start()
    asked: list[Request] = []

    def answer(request: Request) -> Answer:
        if request.path.endswith("/models"):
            return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')
        asked.append(request)
        if len(asked) <= 16:
            return Answer(429, {} if retry_after is None else {"Retry-After": retry_after}, b"slow down")
        choice = {"message": {"content": "A"}, "finish_reason": "stop"}
        return Answer(200, {"Content-Type": "application/json"}, json.dumps({"choices": [choice]}).encode())

    with serving_http(answer) as url:
        run = trigpoint("evaluate", version.reference, "--solver", "direct", "--endpoint", f"{url}/v1")
    assert run["states"] == {"answered": 12, "error": 0, "no_answer": 0}
    assert run["endpoint_requests"] == len(asked) == 28


LIMIT = 600


@pytest.mark.long
def test_limits_hold_over_two_workers_while_redis_dies(
    quick: Settings,
    trigpoint: Command,
    endpoint: Callable[..., Scripted],
    workers: Workers,
    broker: PrivateRedis,
) -> None:
    """70 calls of two workers at 600 a minute; Redis is killed in the middle and comes back empty."""
    version = make_version(quick, options_dataset(70))
    server = endpoint("first_option")
    trigpoint("endpoint", "add", "home", "--url", server.url, "--requests-per-minute", str(LIMIT))
    evaluate = ("evaluate", version.reference, "--solver", "direct", "--endpoint", "home")
    run = trigpoint(*evaluate, "--detach")["run"]
    workers.start()
    workers.start()
    wait_until(lambda: len(server.requests()) >= 20, "the first calls")
    broker.kill()
    seen = len(server.requests())
    wait_until(lambda: len(server.requests()) >= seen + 10, "calls without Redis")
    broker.start()
    wait_for_end(quick, run)
    check_whole(quick, run, 70)
    times = [datetime.fromisoformat(one["time"]).timestamp() for one in server.requests()]
    assert len(times) == 70
    rate = LIMIT / 61
    assert times[-1] - times[0] >= (70 - 1 - rate) / rate * 0.9
    said = [worker.log.read_text() for worker in workers.started]
    assert any("keeps to its share of the limits" in log for log in said)
    for worker in workers.started:
        worker.signal(signal.SIGTERM)
        assert worker.process.wait(30) == 0


def test_a_key_is_nowhere_but_in_the_environment(
    quick: Settings, trigpoint: Command, monkeypatch: pytest.MonkeyPatch, workers: Workers
) -> None:
    monkeypatch.setenv("HOME_KEY", "sk-very-secret")
    version = make_version(quick, options_dataset(3))
    workers.start()
    keys = []

    def answer(request: Request) -> Answer:
        if request.path.endswith("/models"):
            return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')
        keys.append(request)
        return Answer(401, {}, b"the key sk-very-secret is not known")

    with serving_http(answer) as url:
        add = ("endpoint", "add", "home", "--url", f"{url}/v1", "--key-variable", "HOME_KEY")
        trigpoint(*add)
        arguments = ["evaluate", version.reference, "--solver", "direct", "--endpoint", "home", "--json"]
        assert build_application(arguments)(arguments, standalone_mode=False) == 1
    assert len(keys) == 3
    tables = (
        "select cast(endpoint as text) from endpoint union all select cast(step as text) from step union all"
    )
    rows = query(quick, f"{tables} select cast(prediction as text) from prediction")
    assert len(rows) > 3
    assert not any("sk-very-secret" in row[0] for row in rows)
    assert not any("sk-very-secret" in worker.log.read_text() for worker in workers.started)
