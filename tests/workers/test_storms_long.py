"""Runs of 2,000 questions through seeded storms: fifty troubles, each at a moment of its own; a checker reads the history.

`TRIGPOINT_STORM_SEED=N` replays the storms of a seed, which a failure names.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest
import redis

from app.core.seeds import below, choose
from app.core.settings import Settings
from tests.processes import Worker, scalar, wait_until
from tests.runs import check_whole, hashes_of
from tests.workers.arena import BACKENDS, Arena, made_arena
from tests.workers.history import History, Moment

SEED = int(os.environ.get("TRIGPOINT_STORM_SEED", "2026"))
STORMS, TROUBLES_EACH, QUESTIONS = 5, 10, 2000
CONCURRENCY, WORKERS = 16, 2

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def arena(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Arena]:
    database = make_database()
    folder, superuser = tmp_path_factory.mktemp("storms"), superuser_of(database)
    with made_arena(
        folder, database, superuser, QUESTIONS, "0.2", concurrency=CONCURRENCY, batch_size=32
    ) as arena:
        yield arena


# --- troubles: each does its worst, and leaves somebody at work -----------------------------------------------------


def kill(arena: Arena, worker: Worker) -> None:
    pids = [row[0] for row in arena.execute(BACKENDS)]
    for one in arena.workers.started:
        one.kill()
    arena.wait_for_backends(pids)
    arena.workers.started.clear()
    for _ in range(WORKERS):
        arena.workers.start()


def kill_one(arena: Arena, worker: Worker) -> None:
    worker.kill()
    arena.workers.started.remove(worker)
    arena.workers.start()


def terminate(arena: Arena, worker: Worker) -> None:
    worker.signal(signal.SIGTERM)
    worker.process.wait(60)
    arena.workers.started.remove(worker)
    arena.workers.start()


def stop_past_its_lease(arena: Arena, worker: Worker) -> None:
    worker.signal(signal.SIGSTOP)
    until = time.monotonic() + 1.5 * arena.settings.lease_seconds
    wait_until(lambda: time.monotonic() > until, "the lease to run out")
    worker.signal(signal.SIGCONT)


def empty_redis(arena: Arena, worker: Worker) -> None:
    with redis.Redis(port=arena.broker.port) as client:
        client.flushall()


def restart_redis(arena: Arena, worker: Worker) -> None:
    arena.broker.kill()
    arena.broker.start()


def end_backends(arena: Arena, worker: Worker) -> None:
    assert arena.execute(f"select pg_terminate_backend(pid) from ({BACKENDS}) as theirs")


TROUBLES = (kill, kill_one, terminate, stop_past_its_lease, empty_redis, restart_redis, end_backends)


def storm(arena: Arena, number: int) -> tuple[int, History]:
    """A run through TROUBLES_EACH troubles; kills come oftener than the others."""
    before = arena.received()
    history = History(CONCURRENCY * WORKERS * TROUBLES_EACH, before)
    run_id = arena.start(1 + number)
    for _ in range(WORKERS):
        arena.workers.start()
    gap = (QUESTIONS - 200) // TROUBLES_EACH
    for at in range(TROUBLES_EACH):
        arena.server.wait_for(before + 1 + gap * at + below(gap, SEED, "moment", number, at))
        trouble = choose((kill, kill_one, *TROUBLES), SEED, "trouble", number, at)
        trouble(arena, choose(arena.workers.started, SEED, "worker", number, at))
        history.note(arena, run_id, trouble.__name__)
    arena.finish(run_id)
    history.read(arena, run_id)
    return run_id, history


@pytest.mark.parametrize("number", range(STORMS))
def test_a_storm(arena: Arena, number: int) -> None:
    run_id, history = storm(arena, number)
    told = f"TRIGPOINT_STORM_SEED={SEED}, storm {number}: {[moment.trouble for moment in history.moments]}"
    assert history.faults() == [], told
    check_whole(arena.settings, run_id, QUESTIONS)
    assert arena.board(run_id) == arena.undisturbed, told


def test_throughput_is_back_after_each_of_twenty_redis_restarts(arena: Arena) -> None:
    before = arena.received()
    run_id = arena.start(100)
    for _ in range(WORKERS):
        arena.workers.start()
    stored = "select count(*) from prediction where run_id = :id"
    for number in range(20):
        arena.server.wait_for(before + 1 + 90 * number)
        arena.broker.kill()
        had = scalar(arena.settings, stored, id=run_id)
        arena.broker.start()
        wanted = min(had + 50, QUESTIONS)
        wait_until(
            lambda wanted=wanted: scalar(arena.settings, stored, id=run_id) >= wanted, "answers again", 30
        )
    arena.finish(run_id)
    assert hashes_of(arena.settings, run_id, "lost") == []
    check_whole(arena.settings, run_id, QUESTIONS)
    assert arena.board(run_id) == arena.undisturbed


def test_the_checker_sees_what_must_not_be() -> None:
    fine = History(1, 0, [Moment("kill", frozenset("a"), 2)], list("abbc"), ["b"], list("abc"), [], 1)
    assert fine.faults() == []
    assert (
        "asked again after trouble 0, kill"
        in History(1, 0, fine.moments, list("abba"), ["b", "a"], list("ab")).faults()[0]
    )
    assert "not counted as lost" in History(0, 0, [], list("aab"), [], list("ab")).faults()[0]
    assert "not what is stored" in History(0, 0, [], list("ab"), [], list("a")).faults()[0]
    assert "left in flight" in History(0, 0, [], ["a"], [], ["a"], ["b"]).faults()[0]
    assert "more than were in flight" in History(0, 0, [], reasked=1).faults()[0]
