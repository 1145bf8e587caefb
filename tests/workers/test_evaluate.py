"""`trigpoint evaluate` as a command: real processes, real broker, real database."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.cli.local_worker import worker_environment
from app.cli.main import build_application
from app.core.errors import TrigpointError
from app.core.settings import PROJECT_ROOT, Settings
from tests.support.command_line import trigpoint
from tests.support.factories import make_version, mixed_dataset, options_dataset
from tests.support.processes import PrivateRedis, Scripted, Workers, free_port, query, scalar, wait_until

TRIGPOINT = str(PROJECT_ROOT / ".venv/bin/trigpoint")


def start(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [TRIGPOINT, *arguments],
        env=worker_environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def evaluate(settings: Settings, *arguments: str) -> tuple[int, dict[str, Any] | None, str]:
    """Exit status, the JSON on stdout if any, and stderr."""
    done = trigpoint(settings, "evaluate", *arguments, "--json")
    return done.status, done.json if done.out else None, done.err


def one_sentence(err: str) -> str:
    lines = [line for line in err.strip().splitlines() if line]
    assert "Traceback" not in err
    assert lines[-1]
    return " ".join(lines)


def test_model_free_solvers_to_the_board(quick: Settings, workers: Workers) -> None:
    version = make_version(quick, options_dataset(20))
    workers.start()
    for solver in ("oracle", "random", "options_only"):
        status, result, err = evaluate(quick, version.reference, "--solver", solver)
        assert status == 0, err
        assert result is not None
        assert set(result) == {"run", "status", "total", "states", "endpoint_requests", "reasked"}
        assert (result["status"], result["total"], result["endpoint_requests"]) == ("complete", 20, 0)
        assert result["states"] == {"answered": 20, "no_answer": 0, "error": 0}
    best = "select score from board_aggregate join run on run.id = run_id where solver = 'oracle' and scope = 'all'"
    assert scalar(quick, best) == 1.0


BOARD = "select label, score, n, total from board_aggregate join run on run.id = run_id where scope = 'all' order by label"


@pytest.mark.long
def test_rotated_runs_are_runs_of_their_own(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    """Over 20 questions whose keys go round A to D."""
    version = make_version(quick, options_dataset(20))
    workers.start()
    server = endpoint("first_option")
    direct = ("--solver", "direct", "--endpoint", server.url)
    for command in (("--solver", "oracle"), ("--solver", "random"), ("--solver", "options_only"), direct):
        plain = evaluate(quick, version.reference, *command)
        status, result, err = evaluate(quick, version.reference, *command, "--rotate")
        assert status == 0, err
        assert plain[1] is not None
        assert result is not None
        assert (plain[1]["total"], result["total"], result["states"]["answered"]) == (20, 80, 80)
    assert len(server.requests()) == 20 + 80
    assert "Nothing is asked again" in evaluate(quick, version.reference, *direct, "--rotate")[2]
    assert len(server.requests()) == 20 + 80
    board = {row[0]: tuple(row)[1:] for row in query(quick, BOARD)}
    assert board["oracle (rotated)"] == (1.0, 20, 80)
    assert board["scripted:first_option (rotated)"] == (0.25, 20, 80)
    assert board["options_only (rotated)"][0] == board["options_only"][0]
    assert board["random (rotated)"][1:] == (20, 80)
    shown = start(quick, "run", "show", "8", "--positions", "--json").communicate(timeout=30)[0]
    found = json.loads(shown)
    assert (found["rotated"], found["parse_rate"]) == (True, 1.0)
    assert [one["correct"] for one in found["positions"]["positions"]] == [20, 0, 0, 0]
    assert found["positions"]["consistency"]["right_in_any"] == 20


@pytest.mark.long
def test_answers_that_cannot_be_read_are_a_warning(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, options_dataset(6))
    workers.start()
    server = endpoint("garbage")
    command = (version.reference, "--solver", "direct", "--endpoint", server.url)
    status, _, err = evaluate(quick, *command)
    assert status == 0
    assert "scripted:garbage: only 0 of 6 answers could be read, less than 98 %" in one_sentence(err)
    assert "could be read" not in evaluate(quick, version.reference, "--solver", "oracle")[2]


OUTDATED = "update board_aggregate set scorer_version = scorer_version - 1, score = 0.5"
SCORES = "select array_agg(distinct score) from board_aggregate"


@pytest.mark.long
def test_a_run_of_older_rules_is_scored_again_by_the_same_command(quick: Settings) -> None:
    version = make_version(quick, options_dataset(4))
    assert evaluate(quick, version.reference, "--solver", "oracle")[0] == 0
    query(quick, OUTDATED)
    status, _, err = evaluate(quick, version.reference, "--solver", "oracle")
    assert (status, scalar(quick, SCORES)) == (0, [1.0])
    assert "scored again" in err
    assert "scored again" not in evaluate(quick, version.reference, "--solver", "oracle")[2]


@pytest.mark.long
def test_a_worker_scores_runs_of_older_rules_again(quick: Settings, workers: Workers) -> None:
    version = make_version(quick, options_dataset(4))
    assert evaluate(quick, version.reference, "--solver", "oracle")[0] == 0
    query(quick, OUTDATED)
    workers.start()
    wait_until(lambda: scalar(quick, SCORES) == [1.0], "the new scores")


def test_oracle_is_right_about_every_free_answer_type(quick: Settings) -> None:
    version = make_version(quick, mixed_dataset())
    status, _, err = evaluate(quick, version.reference, "--solver", "oracle")
    assert status == 0, err
    assert {row[0] for row in query(quick, "select score from board_aggregate")} == {1.0}


def test_the_same_command_again_pays_nothing(quick: Settings, endpoint: Callable[..., Scripted]) -> None:
    version = make_version(quick, options_dataset(10))
    server = endpoint("first_option")
    command = (version.reference, "--solver", "direct", "--endpoint", server.url)
    first = evaluate(quick, *command)
    assert first[0] == 0, first[2]
    again = evaluate(quick, *command)
    assert again[:2] == first[:2]
    assert "Nothing is asked again" in again[2]
    assert len(server.requests()) == 10 == (first[1] or {})["endpoint_requests"]
    assert server.process is not None
    server.process.kill()
    status, result, _ = evaluate(quick, *command, "--model", "scripted:first_option")
    assert (status, result) == first[:2]


@pytest.mark.parametrize(
    ("policy", "states"),
    [
        ("does_not_know", {"answered": 0, "no_answer": 6, "error": 0}),
        ("garbage", {"answered": 6, "no_answer": 0, "error": 0}),
    ],
)
@pytest.mark.long
def test_answers_of_scripted_policies(
    quick: Settings, endpoint: Callable[..., Scripted], policy: str, states: dict[str, int]
) -> None:
    version = make_version(quick, options_dataset(6))
    status, result, err = evaluate(
        quick, version.reference, "--solver", "direct", "--endpoint", endpoint(policy).url
    )
    assert status == 0, err
    assert result is not None
    assert result["states"] == states
    assert scalar(quick, "select label from run") == f"scripted:{policy}"


@pytest.mark.long
def test_rate_limits_and_mixed_answers_heal(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, options_dataset(24))
    workers.start()
    for policy in ("rate_limited", "mixed"):
        server = endpoint(policy, "--retry-after", "0.05")
        status, result, err = evaluate(
            quick, version.reference, "--solver", "direct", "--endpoint", server.url
        )
        assert status == 0, err
        assert result is not None
        assert result["states"]["error"] == 0
        assert result["endpoint_requests"] == len(server.requests()) > 24
        assert result["reasked"] == 0


def test_an_endpoint_that_breaks_makes_the_run_incomplete_and_the_same_command_mends_it(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, options_dataset(60))
    settings = quick.model_copy(update={"tries": 2})
    server = endpoint("truncated")
    status, result, err = evaluate(
        settings, version.reference, "--solver", "direct", "--endpoint", server.url
    )
    assert status == 1
    assert result is not None
    assert result["status"] == "incomplete"
    assert result["states"] == {"answered": 0, "no_answer": 0, "error": 60}
    assert "not JSON" in err
    # Asking stopped early: twenty failures in a row are enough for a worker. On a busy machine a second one may begin.
    assert 40 <= len(server.requests()) < 2 * 60
    reasons = {row[0] for row in query(quick, "select error from prediction")}
    assert any(reason.startswith("not asked: the last") for reason in reasons)
    query(
        quick,
        "update endpoint set url = :url, model = :model",
        url=endpoint("first_option").url,
        model="scripted:first_option",
    )
    query(quick, "update run set label = 'scripted:first_option'")
    status, result, err = evaluate(
        settings, version.reference, "--solver", "direct", "--endpoint", "scripted:truncated"
    )
    assert status == 0, err
    assert "Only its questions that ended in an error" in err
    assert result is not None
    assert result["states"] == {"answered": 60, "no_answer": 0, "error": 0}


def test_bad_requests_are_one_sentence_and_make_no_run(
    quick: Settings, endpoint: Callable[..., Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = make_version(quick, mixed_dataset())
    html, good = endpoint("html"), endpoint("first_option")
    nowhere = f"http://127.0.0.1:{free_port()}/v1"
    direct = (version.reference, "--solver", "direct")
    cases = [
        (("nothing", "--solver", "oracle"), "There is no published data set 'nothing'"),
        (
            (version.reference, "--solver", "wizard"),
            "There is no solver 'wizard'; there are: chameleon, direct, geoflow, georover, judge, last_named, majority",
        ),
        ((version.reference, "--solver", "options_only"), "options_only guesses among options"),
        (direct, "give --endpoint URL"),
        ((version.reference, "--solver", "oracle", "--rotate"), "No question of this data set has options"),
        ((version.reference, "--solver", "oracle", "--endpoint", good.url), "does not use an endpoint"),
        ((*direct, "--endpoint", "home"), "There is no endpoint 'home'"),
        ((*direct, "--endpoint", nowhere), "cannot be reached"),
        ((*direct, "--endpoint", html.url), "web page"),
        ((*direct, "--endpoint", good.url, "--model", "gpt"), "does not know the model 'gpt'"),
        ((*direct, "--endpoint", good.url, "--key-variable", "NOT_SET"), "NOT_SET is not set"),
    ]
    for name, value in worker_environment(quick).items():
        monkeypatch.setenv(name, value)
    for arguments, sentence in cases:
        with pytest.raises(TrigpointError) as raised:
            build_application(["evaluate"])(["evaluate", *arguments], standalone_mode=False)
        assert sentence in str(raised.value)
        assert raised.value.exit_code != 0
    assert query(quick, "select 1 from run") == []
    # Once as a command, for the exit status and the absence of a traceback.
    status, result, err = evaluate(quick, *cases[0][0])
    assert (status, result) == (2, None)
    assert cases[0][1] in one_sentence(err)


def test_an_endpoint_that_is_silent_is_one_sentence(quick: Settings) -> None:
    version = make_version(quick, options_dataset(4))
    settings = quick.model_copy(update={"request_timeout_seconds": 0.5})
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        status, _, err = evaluate(settings, version.reference, "--solver", "direct", "--endpoint", url)
    assert status == 1
    assert "did not answer within 0.5 s" in one_sentence(err)
    assert query(quick, "select 1 from run") == []


def test_redis_away_is_one_sentence(quick: Settings, broker: PrivateRedis) -> None:
    version = make_version(quick, options_dataset(4))
    broker.kill()
    status, _, err = evaluate(quick, version.reference, "--solver", "oracle")
    assert status == 1
    assert "Redis does not answer" in one_sentence(err)
    assert query(quick, "select 1 from run") == []


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGTERM, 143),
        (signal.SIGKILL, -signal.SIGKILL),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.long),
    ],
)
def test_who_is_stopped_leaves_no_worker_and_a_run_that_goes_on(
    quick: Settings, endpoint: Callable[..., Scripted], number: int, status: int
) -> None:
    version = make_version(quick, options_dataset(30))
    server = endpoint("first_option")
    server.hold()
    command = ("evaluate", version.reference, "--solver", "direct", "--endpoint", server.url, "--json")
    # Under nohup it would rightly go on: these tests may have been started so.
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    process = start(quick, *command)
    signal.signal(signal.SIGHUP, before)
    server.wait_for(quick.concurrency)
    started = psutil.Process(process.pid).children(recursive=True)
    assert started
    os.kill(process.pid, number)
    # Answers come once the worker knows that it is to end: else it would go on asking.
    log = quick.local_dir / "log" / "evaluate-worker.log"
    wait_until(lambda: "Warm shutdown" in log.read_text(), "the worker to be told")
    server.release()
    _, err = process.communicate(timeout=60)
    assert process.returncode == status
    if number == signal.SIGKILL:
        psutil.wait_procs(started, timeout=60)
    else:
        assert number != signal.SIGINT or "is paused and keeps its answers" in err
        assert "the same command again" in err
    assert not [one for one in started if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
    asked = len(server.requests())
    assert asked == quick.concurrency
    status, result, err = evaluate(quick, *command[1:-1])
    assert status == 0, err
    goes_on = "it continues" if number == signal.SIGINT else "is under way and continues"
    assert goes_on in err
    assert result is not None
    assert (result["reasked"], result["endpoint_requests"]) == (0, 30)
    assert len(server.requests()) == 30


def own_worker(process: subprocess.Popen[str], but: int | None = None) -> psutil.Process:
    """The worker that a command has started, once it has one other than the process number `but`."""

    def others() -> list[psutil.Process]:
        return [one for one in psutil.Process(process.pid).children() if one.pid != but]

    return wait_until(others, "a worker")[0]


def test_a_worker_that_dies_is_followed_by_another(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, options_dataset(30))
    server = endpoint("first_option")
    server.hold()
    process = start(
        quick, "evaluate", version.reference, "--solver", "direct", "--endpoint", server.url, "--json"
    )
    server.wait_for(quick.concurrency)
    own_worker(process).kill()
    server.release()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert json.loads(out)["states"]["answered"] == 30
    assert json.loads(out)["reasked"] == quick.concurrency
    assert len(server.requests()) == 30 + quick.concurrency


@pytest.mark.long
def test_a_worker_that_dies_again_and_again_is_one_sentence(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, options_dataset(4))
    server = endpoint("first_option")
    server.hold()
    process = start(quick, "evaluate", version.reference, "--solver", "direct", "--endpoint", server.url)
    server.wait_for(1)
    killed = None
    for _ in range(3):
        worker = own_worker(process, killed)
        worker.kill()
        killed = worker.pid
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "The worker ended 3 times (exit status -9)" in one_sentence(err)


@pytest.mark.long
@pytest.mark.parametrize("who_stands_by", ["lives", "was killed"])
def test_who_waited_for_a_worker_that_goes_has_one_of_its_own(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted], who_stands_by: str
) -> None:
    version = make_version(quick, options_dataset(30))
    workers.start()
    server = endpoint("first_option")
    server.hold()
    process = start(
        quick, "evaluate", version.reference, "--solver", "direct", "--endpoint", server.url, "--json"
    )
    server.wait_for(quick.concurrency)
    if who_stands_by == "was killed":
        own_worker(process).kill()
    workers.kill_all()
    server.release()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "The worker is gone: starting another." in err
    assert json.loads(out)["states"]["answered"] == 30


@pytest.mark.long
def test_detached_runs_are_worked_by_a_worker(quick: Settings, tmp_path: Path) -> None:
    version = make_version(quick, options_dataset(4))
    status, result, err = evaluate(quick, version.reference, "--solver", "oracle", "--detach")
    assert status == 0, err
    assert result is not None
    assert result["status"] == "queued"
    assert "trigpoint worker" in err
    worker = start(quick, "worker")
    try:
        wait_until(lambda: query(quick, "select 1 from board_aggregate"), "the scores")
    finally:
        worker.terminate()
        worker.communicate(timeout=30)
    assert worker.returncode == 0
    started = time.monotonic()
    status, result, _ = evaluate(quick, version.reference, "--solver", "oracle")
    assert (status, (result or {})["status"]) == (0, "complete")
    assert time.monotonic() - started < 30


@pytest.mark.long
def test_run_list_and_show(quick: Settings) -> None:
    version = make_version(quick, options_dataset(4))
    assert evaluate(quick, version.reference, "--solver", "oracle")[0] == 0
    listed = start(quick, "run", "list", "--json").communicate(timeout=30)[0]
    assert [(row["solver"], row["status"]) for row in json.loads(listed)["runs"]] == [("oracle", "complete")]
    shown = json.loads(start(quick, "run", "show", "1", "--json").communicate(timeout=30)[0])
    assert shown["dataset"] == version.reference
    assert shown["scored"] is True
    over = start(quick, "run", "pause", "1")
    assert "Run 1 is complete: there is nothing to pause." in over.communicate(timeout=30)[1]
    assert over.returncode == 1
