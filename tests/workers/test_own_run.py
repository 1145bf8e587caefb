"""Whose run is worked: a command's own run does not wait for others, and Ctrl-C pauses it."""

import os
import signal
from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from tests.support.command_line import trigpoint
from tests.support.factories import MadeVersion, make_version, options_dataset
from tests.support.processes import Scripted, Workers, query, scalar, start_trigpoint, wait_until

QUESTIONS = 30


@pytest.fixture
def held(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> Iterator[tuple[int, Scripted]]:
    """A run whose endpoint does not answer, with all places of the only worker taken; and its endpoint."""
    version = make_version(quick, options_dataset(QUESTIONS))
    server = endpoint("first_option")
    server.hold()
    workers.start()
    asked = ("--solver", "direct", "--endpoint", server.url, "--detach", "--json")
    detached = trigpoint(quick, "evaluate", version.reference, *asked)
    assert detached.status == 0, detached.err
    server.wait_for(1)
    yield int(detached.json["run"]), server
    server.release()


def another(settings: Settings, name: str = "another") -> MadeVersion:
    return make_version(settings, options_dataset(QUESTIONS), name=name)


def test_a_run_without_an_endpoint_does_not_wait_for_one(quick: Settings, held: tuple[int, Scripted]) -> None:
    """The worker that waits for answers works it: nothing else is started."""
    done = trigpoint(quick, "evaluate", another(quick).reference, "--solver", "random", "--json")
    assert (done.status, done.json["status"]) == (0, "complete"), done.err
    assert "waiting" not in done.err
    assert scalar(quick, "select count(*) from prediction where run_id = :run", run=held[0]) == 0


def test_a_command_has_its_own_run_worked_first(
    quick: Settings, held: tuple[int, Scripted], endpoint: Callable[..., Scripted]
) -> None:
    other = endpoint("first_option")
    asked = ("--solver", "direct", "--endpoint", other.url, "--json")
    done = trigpoint(quick, "evaluate", another(quick).reference, *asked)
    assert (done.status, done.json["endpoint_requests"]) == (0, QUESTIONS), done.err
    assert f"is waiting behind run {held[0]}: this command starts a worker only for this run." in done.err
    assert scalar(quick, "select status from run where id = :run", run=held[0]) == "running"


def test_who_leaves_a_run_learns_what_it_waits_for(quick: Settings, held: tuple[int, Scripted]) -> None:
    asked = ("--solver", "direct", "--endpoint", held[1].url, "--detach", "--json")
    done = trigpoint(quick, "evaluate", another(quick).reference, *asked)
    assert f"is queued behind run {held[0]};" in done.err
    beside = trigpoint(
        quick, "evaluate", another(quick, "beside").reference, "--solver", "random", "--detach"
    )
    assert "behind run" not in beside.err, "it uses no endpoint"


def test_the_worker_of_a_command_works_no_other_run(quick: Settings) -> None:
    waits = trigpoint(
        quick, "evaluate", another(quick).reference, "--solver", "random", "--detach", "--json"
    ).json["run"]
    version = make_version(quick, options_dataset(QUESTIONS))
    done = trigpoint(quick, "evaluate", version.reference, "--solver", "random", "--json")
    assert done.status == 0, done.err
    assert scalar(quick, "select status from run where id = :run", run=waits) == "queued"


def test_ctrl_c_pauses_the_run_for_all_workers(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    version = make_version(quick, options_dataset(QUESTIONS))
    server = endpoint("first_option")
    server.hold()
    workers.start()
    command = ("evaluate", version.reference, "--solver", "direct", "--endpoint", server.url)
    process = start_trigpoint(quick, *command)
    server.wait_for(1)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    (run,) = query(quick, "select id, status, pause_reason from run")
    assert (process.returncode, run.status, run.pause_reason) == (130, "paused", "interrupted")
    assert f"give the same command again, or `trigpoint run resume {run.id}`." in err
    asked = len(server.requests())
    server.release()
    flying = "select count(*) from step where state = 'sent'"
    wait_until(lambda: scalar(quick, flying) == 0, "the calls in flight to end")
    assert len(server.requests()) == asked < QUESTIONS
    again = trigpoint(quick, *command, "--json")
    assert (again.status, again.json["endpoint_requests"]) == (0, QUESTIONS), again.err
    assert f"Run {run.id} was paused when its command was stopped; it continues." in again.err


def test_ctrl_c_lets_the_worker_of_the_command_finish_its_calls(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    """What an endpoint was asked for is stored, and not paid for again."""
    version = make_version(quick, options_dataset(QUESTIONS))
    server = endpoint("first_option")
    server.hold()
    command = ("evaluate", version.reference, "--solver", "direct", "--endpoint", server.url)
    process = start_trigpoint(quick, *command)
    server.wait_for(1)
    os.kill(process.pid, signal.SIGINT)
    paused = "select count(*) from run where status = 'paused'"
    wait_until(lambda: scalar(quick, paused) == 1, "the run to be paused")
    assert process.poll() is None, "the command waits for the calls that its worker has in flight"
    server.release()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, "Its calls in flight are finished first" in err) == (130, True), err
    assert scalar(quick, "select count(*) from step where state = 'sent'") == 0
    asked = len(server.requests())
    assert scalar(quick, "select count(*) from prediction") == asked < QUESTIONS
    again = trigpoint(quick, *command, "--json")
    assert (again.status, again.json["endpoint_requests"]) == (0, QUESTIONS), again.err
    assert len(server.requests()) == QUESTIONS


def test_a_second_ctrl_c_ends_at_once(quick: Settings, endpoint: Callable[..., Scripted]) -> None:
    version = make_version(quick, options_dataset(QUESTIONS))
    server = endpoint("first_option")
    server.hold()
    process = start_trigpoint(
        quick, "evaluate", version.reference, "--solver", "direct", "--endpoint", server.url
    )
    server.wait_for(1)
    os.kill(process.pid, signal.SIGINT)
    paused = "select count(*) from run where status = 'paused'"
    wait_until(lambda: scalar(quick, paused) == 1, "the run to be paused")
    wait_until(lambda: process.poll() is not None or _told_again(process.pid), "the command to end")
    assert process.wait(timeout=60) in (130, -signal.SIGINT), "a shell tells both as 130"
    server.release()


def _told_again(pid: int) -> bool:
    """Presses Ctrl-C once more; False, for it is the end that is waited for."""
    os.kill(pid, signal.SIGINT)
    return False


def test_a_run_that_somebody_paused_stays_paused(quick: Settings) -> None:
    command = ("evaluate", another(quick).reference, "--solver", "random")
    run = trigpoint(quick, *command, "--detach", "--json").json["run"]
    assert trigpoint(quick, "run", "pause", str(run)).status == 0
    again = trigpoint(quick, *command)
    assert (again.status, f"`trigpoint run resume {run}` continues it" in again.err) == (1, True)
