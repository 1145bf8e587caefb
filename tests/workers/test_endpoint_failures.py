"""Endpoints that fail in the ways that servers do, through `evaluate`: what heals is counted, what does not is no answer."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from app.core.settings import Settings
from tests.commands import Done, trigpoint
from tests.factories import make_version, options_dataset
from tests.misbehaving import HEALING, LASTING, READ, Misbehaving, misbehaving
from tests.processes import Workers, query, scalar
from tests.runs import wait_for_end

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
    assert (done.status, "so it is not ranked" in done.err) == (1, True)
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
    assert len(server.asked["quota"]) <= quick.concurrency * 2
    assert "not asked: no call succeeds" in done.err
