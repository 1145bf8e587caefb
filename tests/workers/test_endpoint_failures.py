"""Endpoints that fail in the ways that servers do, through `evaluate`: what heals is counted, what does not is no answer."""

import json
import subprocess
from collections.abc import Iterable, Iterator
from threading import Event
from typing import Any

import pytest

from app.cli.local_worker import worker_environment
from app.core.settings import Settings
from tests.support.command_line import TRIGPOINT, Done, trigpoint
from tests.support.factories import make_version, options_dataset
from tests.support.faulty_endpoint import HEALING, LASTING, READ, Misbehaving, completion, misbehaving, says
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import Workers, query, scalar
from tests.support.runs import wait_for_end

QUESTIONS = 3


@pytest.fixture
def server() -> Iterator[Misbehaving]:
    with misbehaving() as made:
        yield made


@pytest.fixture
def dataset(quick: Settings, workers: Workers) -> str:
    """A data set whose questions have options, and a worker that waits."""
    version = make_version(quick, options_dataset(QUESTIONS))
    workers.start()
    return version.reference


def evaluate(settings: Settings, dataset: str, server: Misbehaving, model: str, *more: str) -> Done:
    command = ("evaluate", dataset, "--solver", "direct", "--endpoint", server.url, "--model", model)
    return trigpoint(settings, *command, "--json", *more)


def run_all(
    settings: Settings, dataset: str, server: Misbehaving, models: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """What `run show` says of a run of each of the models; all of them run side by side."""
    runs = {}
    for model in models:
        done = evaluate(settings, dataset, server, model, "--detach")
        assert done.status == 0, (model, done.err)
        runs[model] = done.json["run"]
    for run in runs.values():
        wait_for_end(settings, run)
    return {model: trigpoint(settings, "run", "show", str(run), "--json").json for model, run in runs.items()}


def states(shown: dict[str, Any]) -> dict[str, int]:
    return {name: count for name, count in shown["states"].items() if count}


def answers(settings: Settings, run: int) -> set[str]:
    return {row[0] for row in query(settings, "select answer from prediction where run_id = :id", id=run)}


def test_a_failure_that_heals_is_tried_again_and_counted(
    quick: Settings, dataset: str, server: Misbehaving
) -> None:
    """The answer is that of the second call; never the text that was broken off."""
    for model, shown in run_all(quick, dataset, server, HEALING).items():
        assert (shown["status"], states(shown)) == ("complete", {"answered": QUESTIONS}), model
        assert answers(quick, shown["run"]) == {"A"}, model
        assert server.times(model) == [2] * QUESTIONS, model
        assert shown["endpoint_requests"] == 2 * QUESTIONS, model
        failed = "select count(*) from step where run_id = :id and state = 'failed' and error is not null"
        assert scalar(quick, failed, id=shown["run"]) == QUESTIONS, model


def test_answers_in_forms_of_their_own_are_read(quick: Settings, dataset: str, server: Misbehaving) -> None:
    for model, shown in run_all(quick, dataset, server, READ).items():
        assert (states(shown), server.times(model)) == ({"answered": QUESTIONS}, [1] * QUESTIONS), model
        assert answers(quick, shown["run"]) == {"A"}, model


SCORED = "select count(*) from score join prediction on prediction.id = prediction_id where run_id = :id"


def test_a_failure_that_lasts_leaves_the_run_incomplete(
    quick: Settings, dataset: str, server: Misbehaving
) -> None:
    """No silence, no score, no rank, though some of them give a letter beside it."""
    for model, shown in run_all(quick, dataset, server, LASTING).items():
        assert (shown["status"], states(shown)) == ("incomplete", {"error": QUESTIONS}), model
        assert server.times(model) == [quick.tries] * QUESTIONS, model
        assert answers(quick, shown["run"]) == {None}, model
        assert scalar(quick, SCORED, id=shown["run"]) == 0, model
    done = evaluate(quick, dataset, server, "finish-lasting")
    assert (done.status, "so the run is not ranked" in done.err) == (1, True)
    board = trigpoint(quick, "leaderboard", dataset, "--json").json["rows"]
    assert [row for row in board if row["rank"] is not None] == []


def test_what_was_paid_for_is_used_up(quick: Settings, dataset: str, server: Misbehaving) -> None:
    """Final at once, whether told by status, by words or within success; the server's sentence is told."""
    told = {
        "quota": "HTTP 429, its quota",
        "quota-within": "HTTP 200, but with an error",
        "unpaid": "HTTP 402, its",
    }
    for model, shown in run_all(quick, dataset, server, told).items():
        assert (shown["status"], states(shown)) == ("incomplete", {"error": QUESTIONS}), model
        assert set(server.times(model)) == {1}, model
        assert len(server.times(model)) <= QUESTIONS
        assert all(told[model] in one["reason"] for one in shown["errors"]), model


def test_what_a_server_refuses_is_not_tried_again(quick: Settings, dataset: str, server: Misbehaving) -> None:
    words = {
        "within-400": "code 400): “too long”",
        "redirect": f"it leads to {server.url.removesuffix('/v1')}/elsewhere/v1/chat/completions, and",
        "seed": "HTTP 422: “body.seed: Extra inputs are not permitted”",
        "sampling": "HTTP 400: “Only the default temperature is supported.”",
    }
    for model, shown in run_all(quick, dataset, server, words).items():
        assert (shown["status"], states(shown)) == ("incomplete", {"error": QUESTIONS}), model
        assert server.times(model) == [1] * QUESTIONS, model
        assert [words[model] in one["reason"] for one in shown["errors"]] == [True], model
    assert not any(path.startswith("/elsewhere") for path in server.paths)


def test_one_refusal_of_many_questions_suffices(
    quick: Settings, workers: Workers, server: Misbehaving
) -> None:
    """Where nothing is left of what was paid for, those that are in flight are asked, and no others."""
    version = make_version(quick, options_dataset(30))
    workers.start()
    done = evaluate(quick, version.reference, server, "quota")
    assert (done.status, states(done.json)) == (1, {"error": 30})
    # Two workers at most, of which each has so many in flight and as many that are about to leave.
    assert len(server.asked["quota"]) <= quick.concurrency * 4 < 30
    assert "not asked: no call succeeds" in done.err


def sent(server: Misbehaving, model: str, *names: str) -> set[tuple[Any, ...]]:
    """What calls of a model held of these fields; … where one was left away."""
    return {tuple(body.get(name, "…") for name in names) for body in server.asked[model]}


def test_fields_are_set_and_left_away(quick: Settings, dataset: str, server: Misbehaving) -> None:
    """Each body makes a run of its own, and the same body the same run; nothing is paid twice."""
    done = evaluate(quick, dataset, server, "seed", "--body", '{"seed": null}')
    assert (done.status, states(done.json)) == (0, {"answered": QUESTIONS}), done.err
    assert sent(server, "seed", "seed", "temperature") == {("…", 0.3)}
    again = evaluate(quick, dataset, server, "seed", "--body", '{ "seed":null }')
    assert (again.json["run"], len(server.asked["seed"])) == (done.json["run"], QUESTIONS)
    other = evaluate(quick, dataset, server, "seed", "--body", '{"seed": null, "top_p": 0.5}', "--reuse")
    assert other.json["run"] != done.json["run"]
    assert sent(server, "seed", "top_p") == {("…",), (0.5,)}
    sampling = scalar(quick, "select sampling from run where id = :id", id=other.json["run"])
    assert sampling == {"temperature": 0.3, "body": {"seed": None, "top_p": 0.5}}


def test_a_record_holds_the_body_of_its_calls(quick: Settings, dataset: str, server: Misbehaving) -> None:
    """A check finds what a server takes; the record then has calls so; an option names the longest answer still."""
    add = ("endpoint", "add", "own", "--url", server.url, "--model", "sampling")
    assert trigpoint(quick, *add).status == 0
    checked = trigpoint(quick, "endpoint", "check", "own")
    assert checked.status == 0, checked.err
    body = '{"max_completion_tokens":8192,"max_tokens":null,"temperature":null}'
    assert "`trigpoint endpoint add own " in checked.err
    assert f"--body '{body}'" in checked.err
    assert trigpoint(quick, *add, "--body", body, "--json").json["added"] == "changed"
    record = trigpoint(quick, "endpoint", "check", "own", "--json").json
    assert (record["health"]["needs"], record["body"]["temperature"]) == ([], None)
    server.asked.clear()
    direct = ("evaluate", dataset, "--solver", "direct", "--endpoint", "own", "--json")
    done = trigpoint(quick, *direct)
    assert (done.status, states(done.json)) == (0, {"answered": QUESTIONS}), done.err
    fields = ("max_tokens", "max_completion_tokens", "temperature", "seed")
    assert sent(server, "sampling", *fields) == {("…", 8192, "…", 0)}
    server.asked.clear()
    short = trigpoint(quick, *direct, "--max-tokens", "9", "--body", '{"top_p": 0.5}')
    assert short.json["run"] != done.json["run"]
    assert sent(server, "sampling", *fields, "top_p") == {("…", 9, "…", 0, 0.5)}
    trigpoint(quick, *add)
    assert trigpoint(quick, *direct).json["run"] not in (done.json["run"], short.json["run"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--body", '{"seed": null, "seed": 1}'), "names 'seed' twice"),
        (("--body", '{"messages": []}'), "it is the question"),
        (("--body", '{"temperature": 1}', "--temperature", "1"), "give one of them"),
        (("--body", '{"max_completion_tokens": 5}', "--max-tokens", "6"), "give one of them"),
        (("--body", '{"max_tokens": null}', "--max-tokens", "6"), "give one of them"),
    ],
)
def test_a_body_that_cannot_be_makes_no_run(
    quick: Settings, server: Misbehaving, options: tuple[str, ...], words: str
) -> None:
    version = make_version(quick, options_dataset(QUESTIONS))
    done = evaluate(quick, version.reference, server, "seed", *options)
    assert (done.status, words in done.err) == (2, True), done.err
    assert server.asked == {}
    assert scalar(quick, "select count(*) from run") == 0


def test_how_an_endpoint_refuses_is_told_while_it_is_asked_again(quick: Settings) -> None:
    """Its status and its sentence, without the key, before the run ends; `run show` tells it afterwards too."""
    dataset = make_version(quick, options_dataset(QUESTIONS)).reference
    told = Event()

    def answer(request: Request) -> Answer:
        if request.path.endswith("/models"):
            return says({"data": [{"id": "m"}]})
        if told.is_set():
            return says(completion())
        return says({"error": {"message": "busy with sk-very-secret just now", "code": 503}}, 503)

    patient = quick.model_copy(update={"tries": 1000})
    with serving_http(answer) as url:
        command = [
            "evaluate",
            dataset,
            "--solver",
            "direct",
            "--endpoint",
            f"{url}/v1",
            "--key-variable",
            "HOME_KEY",
        ]
        variables = worker_environment(patient) | {"HOME_KEY": "sk-very-secret"}
        with subprocess.Popen(
            [str(TRIGPOINT), *command, "--json"],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=variables,
        ) as running:
            assert running.stderr is not None
            line = next(one for one in running.stderr if "calls failed" in one)
            told.set()
            out, _ = running.communicate(timeout=60)
    assert "HTTP 503: “busy with [key] just now”" in " ".join(line.split())
    shown = trigpoint(quick, "run", "show", str(json.loads(out)["run"]), "--json").json
    assert shown["refusals"]["calls"] >= 1
    assert "HTTP 503: “busy with [key] just now”" in shown["refusals"]["last"]
