"""Runs that are paused, resumed, cancelled and tried again, with budgets: real workers, broker, database, endpoint."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from app.cli.local_worker import worker_environment
from app.cli.main import build_application
from app.core.clock import SystemClock
from app.core.errors import TrigpointError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions import control
from app.predictions.accounts import Budget
from tests.support.factories import make_version, option_question, options_dataset
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import PrivateRedis, Scripted, Workers, query, scalar, wait_until
from tests.support.runs import (
    check_paid_once,
    check_whole,
    hashes_of,
    start_held,
    start_run,
    wait_for_end,
    wait_for_scores,
)

Command = Callable[..., dict[str, Any]]
STATUS = "select status from run where id = :id"
LEASED = "select count(*) from batch where run_id = :id and state = 'leased'"
DEATHS = "select max(attempt) from batch where run_id = :id"
ACCOUNT = (
    "select spent_prompt, spent_completion, reserved_prompt, reserved_completion from run where id = :id"
)
PAID = (
    "select coalesce(sum(cast(usage ->> 'prompt_tokens' as int)), 0),"
    " coalesce(sum(cast(usage ->> 'completion_tokens' as int)), 0) from step where run_id = :id"
)


@pytest.fixture
def trigpoint(
    quick: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Runs a command in this process and gives the JSON that it prints, with its exit status."""
    for name, value in worker_environment(quick).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: object) -> dict[str, Any]:
        words = [*map(str, arguments), "--json"]
        capsys.readouterr()
        status = build_application(words)(words, standalone_mode=False)
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found | {"exit": status or 0}

    return run


def write_lite_file(path: Path, version: str, ids: Sequence[str]) -> None:
    """A lite set of these questions, as `trigpoint lite choose` writes it."""
    recipe = {"dataset": version, "profile": "trigpoint", "profile_version": 1, "size": len(ids), "seed": 0}
    items = [{"id": one, "template": "T", "weight": 0.5, "discrimination": 1, "intercept": 0} for one in ids]
    numbers = {"questions": 8, "level": 0.95, "error": 0.1, "mean_error": 0.1, "plain_error": 0.1, "mix": 1}
    whole = {"recipe": recipe | {"runs": [1], "scores": "0"}, "recipe_hash": "0", "items": items, **numbers}
    path.write_text(json.dumps({"format": "trigpoint lite set 1", "expected": [0.5] * 201, **whole}))


def refused(trigpoint: Command, *arguments: object) -> tuple[int, str]:
    with pytest.raises(TrigpointError) as raised:
        trigpoint(*arguments)
    return raised.value.exit_code, str(raised.value)


def tell(settings: Settings, act: Callable[[Connection], object]) -> None:
    """Ask something of a run as its commands do, at once."""
    with connect(settings, Role.WORKER) as connection:
        act(connection)
        connection.commit()


def check_account(settings: Settings, run_id: int) -> None:
    """What the run's row says was spent is what its steps say; nothing is in flight."""
    assert tuple(query(settings, ACCOUNT, id=run_id)[0]) == (*query(settings, PAID, id=run_id)[0], 0, 0)


def test_paused_in_flight_is_stored_and_the_rest_handed_back(
    quick: Settings,
    trigpoint: Command,
    workers: Workers,
    endpoint: Callable[..., Scripted],
    broker: PrivateRedis,
) -> None:
    """Redis is away while it is paused and resumed."""
    server, run_id = start_held(quick, workers, endpoint)
    broker.kill()
    assert trigpoint("run", "pause", run_id)["status"] == "paused"
    server.release()
    wait_until(lambda: not scalar(quick, LEASED, id=run_id), "the leases to be handed back")
    assert len(hashes_of(quick, run_id, "done")) == len(server.requests()) == quick.concurrency
    assert scalar(quick, DEATHS, id=run_id) == 0
    check_account(quick, run_id)
    shown = trigpoint("run", "show", run_id)
    assert (shown["status"], shown["progress"]["paused"], shown["progress"]["waiting"]) == (
        "paused",
        "request",
        20,
    )
    assert trigpoint("run", "pause", run_id)["status"] == "paused"
    assert trigpoint("run", "resume", run_id)["status"] == "queued"
    broker.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=0)
    check_account(quick, run_id)


@pytest.mark.long
def test_paused_again_and_again_no_call_leaves_after_a_pause(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("slow", "--delay", "0.1")
    run_id = start_run(quick, server.url, "scripted:slow", 60)
    workers.start()
    workers.start()
    sent = "select count(*) from step where run_id = :id"

    def has_sent(calls: int) -> bool:
        return bool(scalar(quick, sent, id=run_id) >= calls)

    for turn in range(1, 4):
        wait_until(partial(has_sent, 10 * turn), "more calls")
        tell(quick, lambda connection: control.pause(connection, run_id))
        at_pause = scalar(quick, sent, id=run_id)
        wait_until(lambda: not scalar(quick, LEASED, id=run_id), "the leases to be handed back")
        assert scalar(quick, sent, id=run_id) == len(hashes_of(quick, run_id, "done")) == at_pause
        tell(quick, lambda connection: control.resume(connection, run_id, Budget(), SystemClock().now()))
    wait_for_end(quick, run_id)
    check_whole(quick, run_id, 60)
    check_paid_once(quick, run_id, server, in_flight=0)
    assert scalar(quick, DEATHS, id=run_id) == 0
    check_account(quick, run_id)


@pytest.mark.long
def test_killed_while_it_is_paused(
    quick: Settings, trigpoint: Command, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    server.hold()
    run_id = start_run(quick, server.url)
    victim = workers.start()
    server.wait_for(quick.concurrency)
    trigpoint("run", "pause", run_id)
    victim.kill()
    server.release()
    workers.start()
    wait_until(lambda: not scalar(quick, LEASED, id=run_id), "the sweeper to take the leases back")
    assert len(hashes_of(quick, run_id, "lost")) == quick.concurrency
    assert [row[2:] for row in query(quick, ACCOUNT, id=run_id)] == [(0, 0)]
    trigpoint("run", "resume", run_id)
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=quick.concurrency)


def test_a_worker_that_waits_long_hands_a_paused_batch_back(
    quick: Settings, trigpoint: Command, workers: Workers
) -> None:
    """The endpoint asks to wait for five minutes; the heartbeat tells of the pause long before."""
    asked = 0

    def answer(request: Request) -> Answer:
        nonlocal asked
        if not request.path.endswith("/models"):
            asked += 1
        return Answer(429, {"Retry-After": "300"}, b"slow down")

    with serving_http(answer) as url:
        run_id = start_run(quick, f"{url}/v1", "m")
        workers.start()
        wait_until(lambda: asked, "the first refusal")
        trigpoint("run", "pause", run_id)
        wait_until(lambda: not scalar(quick, LEASED, id=run_id), "the leases to be handed back", 10)
    assert scalar(quick, STATUS, id=run_id) == "paused"


def test_cancelled_is_final_and_on_no_board(
    quick: Settings, trigpoint: Command, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server, run_id = start_held(quick, workers, endpoint)
    assert trigpoint("run", "cancel", run_id)["status"] == "cancelled"
    server.release()
    wait_until(lambda: not scalar(quick, LEASED, id=run_id), "the leases to be handed back")
    shown = trigpoint("run", "show", run_id, "--follow")
    assert (shown["status"], shown["states"]["answered"]) == ("cancelled", quick.concurrency)
    assert trigpoint("leaderboard", "toy")["rows"] == []
    assert trigpoint("run", "cancel", run_id)["status"] == "cancelled"
    for command in ("pause", "resume", "retry"):
        assert refused(trigpoint, "run", command, run_id)[0] == 1
    again = trigpoint(
        "evaluate", "toy", "--solver", "direct", "--endpoint", server.url, "--temperature", 0, "--reuse"
    )
    assert (again["run"] > run_id, again["states"]["answered"]) == (True, 24)
    # What the cancelled run was answered is not asked again.
    assert (again["endpoint_requests"], len(server.requests())) == (20, 24)


def test_what_cannot_be_is_one_sentence(
    quick: Settings, trigpoint: Command, endpoint: Callable[..., Scripted]
) -> None:
    run_id = start_run(quick, endpoint("first_option").url)
    assert refused(trigpoint, "run", "retry", run_id) == (
        1,
        f"Run {run_id} is queued: its errors are tried again when all else is done.",
    )
    assert refused(trigpoint, "run", "pause", 99)[0] == 2
    assert (
        "not an amount of money" in refused(trigpoint, "run", "resume", run_id, "--budget-money", "much")[1]
    )
    assert "knows no prices" in refused(trigpoint, "run", "resume", run_id, "--budget-money", "1")[1]
    query(quick, "update run set status = 'complete', finished_at = created_at")
    for command, words in (("pause", "nothing to pause"), ("cancel", "cannot be cancelled")):
        status, told = refused(trigpoint, "run", command, run_id)
        assert (status, words in told) == (1, True)
    assert "none of its answers is an error" in refused(trigpoint, "run", "retry", run_id)[1]


def test_retry_asks_errors_only(quick: Settings, trigpoint: Command, workers: Workers) -> None:
    """Every third question fails until the endpoint is mended."""
    mended = False
    asked: list[str] = []

    def answer(request: Request) -> Answer:
        if request.path.endswith("/models"):
            return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')
        prompt = json.loads(request.body)["messages"][0]["content"]
        asked.append(prompt)
        if not mended and sum(map(ord, prompt)) % 3 == 0:
            return Answer(400, {}, b"no")
        choice = {"message": {"content": "A"}, "finish_reason": "stop"}
        return Answer(200, {"Content-Type": "application/json"}, json.dumps({"choices": [choice]}).encode())

    version = make_version(quick, options_dataset(12))
    workers.start()
    with serving_http(answer) as url:
        found = trigpoint("evaluate", version.reference, "--solver", "direct", "--endpoint", f"{url}/v1")
        errors = found["states"]["error"]
        assert (found["exit"], found["status"], 0 < errors < 12) == (1, "incomplete", True)
        mended = True
        trigpoint("run", "retry", found["run"])
        wait_until(lambda: scalar(quick, STATUS, id=found["run"]) == "complete", "the end")
    assert sorted(Counter(asked).values()) == [1] * (12 - errors) + [2] * errors
    wait_for_scores(quick, found["run"])
    assert [row["rank"] for row in trigpoint("leaderboard", version.reference)["rows"]] == [1]


@pytest.mark.parametrize("kind", ["tokens", "money"])
@pytest.mark.long
def test_a_budget_holds_over_two_workers(
    quick: Settings, trigpoint: Command, workers: Workers, endpoint: Callable[..., Scripted], kind: str
) -> None:
    version = make_version(quick, options_dataset(40))
    server = endpoint("first_option")
    prices = ("--prompt-price", "1000000", "--completion-price", "1000000")
    trigpoint("endpoint", "add", "home", "--url", server.url, *prices)
    workers.start()
    workers.start()
    evaluate = ("evaluate", version.reference, "--solver", "direct", "--endpoint", "home", "--max-tokens", 2)
    found = trigpoint(*evaluate, f"--budget-{kind}", 500)
    assert (found["exit"], found["status"]) == (1, "paused")
    run_id = found["run"]
    shown = trigpoint("run", "show", run_id)
    asked = len(server.requests())
    assert 0 < asked < 40
    assert shown["progress"]["paused"] == "budget"
    assert 350 < shown["progress"]["tokens"] <= 500
    assert shown["cost"]["amount"] == shown["progress"]["cost"] == shown["progress"]["tokens"]
    check_account(quick, run_id)
    assert refused(trigpoint, "run", "resume", run_id)[0] == 1
    assert refused(trigpoint, "run", "resume", run_id, f"--budget-{kind}", 499)[0] == 1
    assert trigpoint(*evaluate)["exit"] == 1
    assert len(server.requests()) == asked
    trigpoint("run", "resume", run_id, f"--budget-{kind}", 100_000)
    wait_for_end(quick, run_id)
    check_whole(quick, run_id, 40)
    check_paid_once(quick, run_id, server, in_flight=0)
    check_account(quick, run_id)


def test_a_sample_is_a_run_of_its_own_and_not_ranked(
    quick: Settings, trigpoint: Command, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    """Then the whole data set, with the sample's answers reused: they are paid for once."""
    version = make_version(quick, options_dataset(20))
    workers.start()
    server = endpoint("first_option")
    direct = ("evaluate", version.reference, "--solver", "direct", "--endpoint", server.url)
    sample = trigpoint(*direct, "--sample", 8)
    assert (sample["exit"], sample["status"], sample["total"]) == (0, "complete", 8)
    assert trigpoint(*direct, "--sample", 8)["run"] == sample["run"]
    assert len(server.requests()) == 8
    whole = trigpoint(*direct, "--reuse")
    assert (whole["total"], whole["endpoint_requests"]) == (20, 12)
    assert len(server.requests()) == 20
    assert trigpoint("run", "show", whole["run"])["progress"]["reused"] == 8
    check_account(quick, whole["run"])
    rows = trigpoint("leaderboard", version.reference)["rows"]
    assert [(row["name"], row["rank"], row["sample"], row["n"]) for row in rows] == [
        ("scripted:first_option", 1, None, 20),
        ("scripted:first_option (sample of 8)", None, 8, 8),
    ]
    report = trigpoint("report", sample["run"])["runs"][0]
    assert (report["overall"]["n"], report["states"]["missing"]) == (8, 0)


def test_chosen_questions_are_a_run_of_its_own_and_not_ranked(
    quick: Settings,
    trigpoint: Command,
    workers: Workers,
    endpoint: Callable[..., Scripted],
    tmp_path: Path,
) -> None:
    """Those of a lite set's file; hidden ones and those of nobody are refused, and a sample of hidden ones alone."""
    questions = [*options_dataset(8), option_question(50, split="hidden")]
    version = make_version(quick, questions)
    path = tmp_path / "lite.json"
    workers.start()
    server = endpoint("first_option")
    only = ("evaluate", version.reference, "--solver", "direct", "--endpoint", server.url, "--only", path)
    for chosen, refusal in ((8, "is hidden"), ("nobody", "is none that the data set version asks")):
        name = version.questions[chosen] if isinstance(chosen, int) else chosen
        write_lite_file(path, version.reference, [version.questions[0], name])
        assert refusal in refused(trigpoint, *only)[1]
    hidden = make_version(
        quick, [option_question(place, split="hidden") for place in range(3)], name="closed"
    )
    sample = ("evaluate", hidden.reference, "--solver", "direct", "--endpoint", server.url, "--sample", 1)
    assert "all questions of this data set are hidden" in refused(trigpoint, *sample)[1]
    write_lite_file(path, version.reference, [version.questions[place] for place in (6, 1, 3)])
    run = trigpoint(*only)
    assert (run["exit"], run["status"], run["total"]) == (0, "complete", 3)
    assert len(server.requests()) == 3
    (row,) = trigpoint("leaderboard", version.reference)["rows"]
    assert (row["name"], row["rank"], row["sample"], row["n"]) == (
        "scripted:first_option (3 chosen questions)",
        None,
        3,
        3,
    )
    write_lite_file(path, version.reference, [version.questions[place] for place in (1, 3, 6)])
    assert trigpoint(*only)["run"] == run["run"]
    assert len(server.requests()) == 3


def test_errors_empties_and_cut_off_answers_are_not_reused(
    quick: Settings, trigpoint: Command, workers: Workers
) -> None:
    version = make_version(quick, options_dataset(4))
    workers.start()
    said = iter([("", "stop"), ("It is", "length"), ("A", "stop"), None])
    asked = 0

    def answer(request: Request) -> Answer:
        nonlocal asked
        if request.path.endswith("/models"):
            return Answer(200, {"Content-Type": "application/json"}, b'{"data": [{"id": "m"}]}')
        asked += 1
        content = next(said, ("B", "stop"))
        if content is None:
            return Answer(400, {}, b"no")
        choice = {"message": {"content": content[0]}, "finish_reason": content[1]}
        return Answer(200, {"Content-Type": "application/json"}, json.dumps({"choices": [choice]}).encode())

    with serving_http(answer) as url:
        direct = ("evaluate", version.reference, "--solver", "direct", "--endpoint", f"{url}/v1")
        first = trigpoint(*direct)["run"]
        query(quick, "update run set label = 'another'")
        second = trigpoint(*direct, "--reuse")
    assert (second["run"] != first, second["endpoint_requests"], asked) == (True, 3, 7)
    told = query(quick, "select answer from prediction where run_id = :id order by 1", id=second["run"])
    assert [row[0] for row in told] == ["A", "B", "B", "B"]
