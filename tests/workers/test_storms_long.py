"""Runs of 2,000 questions through seeded storms: fifty troubles, each at a moment of its own; a checker reads the history.

`TRIGPOINT_STORM_SEED=N` replays the storms of a seed, which a failure names.
"""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
import redis

from app.core.seeds import below, choose
from app.core.settings import Settings
from tests.processes import Worker, scalar, wait_until
from tests.runs import check_whole, hashes_of
from tests.workers.arena import BACKENDS, Arena, made_arena

SEED = int(os.environ.get("TRIGPOINT_STORM_SEED", "2026"))
STORMS, TROUBLES_EACH, QUESTIONS = 5, 10, 2000
CONCURRENCY, WORKERS = 16, 2

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Moment:
    """A trouble, and what was true when it was over: calls whose answers were committed, requests received."""

    trouble: str
    committed: frozenset[str]
    received: int


@dataclass
class History:
    """What happened in a run: its troubles, and the requests that the endpoint received, in order."""

    seed: str
    moments: list[Moment] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    reasked: int = 0

    def faults(self) -> list[str]:
        """What must never happen, and did."""
        found = []
        for number, moment in enumerate(self.moments):
            again = moment.committed & set(self.requests[moment.received :])
            if again:
                found.append(
                    f"{len(again)} committed calls were asked again after trouble {number}, {moment.trouble}"
                )
        asked = Counter(self.requests)
        twice = {key for key, times in asked.items() if times > 1}
        if not twice <= set(self.lost):
            found.append(f"{len(twice - set(self.lost))} calls were asked twice and are not counted as lost")
        if self.reasked > CONCURRENCY * WORKERS * len(self.moments):
            found.append(
                f"{self.reasked} questions were asked again: more than were in flight at all troubles"
            )
        if sorted(self.done) != sorted(asked):
            found.append("what the endpoint was asked is not what is stored as answered")
        if self.sent:
            found.append(f"{len(self.sent)} calls are left in flight")
        return found


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
    history = History(f"TRIGPOINT_STORM_SEED={SEED}, storm {number}")
    before = arena.received()
    run_id = arena.start(1 + number)
    for _ in range(WORKERS):
        arena.workers.start()
    gap = (QUESTIONS - 200) // TROUBLES_EACH
    for at in range(TROUBLES_EACH):
        arena.server.wait_for(before + 1 + gap * at + below(gap, SEED, "moment", number, at))
        trouble = choose((kill, kill_one, *TROUBLES), SEED, "trouble", number, at)
        trouble(arena, choose(arena.workers.started, SEED, "worker", number, at))
        committed = frozenset(hashes_of(arena.settings, run_id, "done"))
        history.moments.append(Moment(trouble.__name__, committed, arena.received() - before))
    arena.finish(run_id)
    history.requests = [request["hash"] for request in arena.server.requests()[before:]]
    history.lost = hashes_of(arena.settings, run_id, "lost")
    history.done = hashes_of(arena.settings, run_id, "done")
    history.sent = hashes_of(arena.settings, run_id, "sent")
    history.reasked = scalar(arena.settings, "select reasked from run where id = :id", id=run_id)
    return run_id, history


@pytest.mark.parametrize("number", range(STORMS))
def test_a_storm(arena: Arena, number: int) -> None:
    run_id, history = storm(arena, number)
    told = f"{history.seed}: {[moment.trouble for moment in history.moments]}"
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
    fine = History("", [Moment("kill", frozenset("a"), 2)], list("abbc"), ["b"], list("abc"), [], 1)
    assert fine.faults() == []
    assert (
        "asked again after trouble 0, kill"
        in History("", fine.moments, list("abba"), ["b", "a"], list("ab")).faults()[0]
    )
    assert "not counted as lost" in History("", [], list("aab"), [], list("ab")).faults()[0]
    assert "not what is stored" in History("", [], list("ab"), [], list("a")).faults()[0]
    assert "left in flight" in History("", [], ["a"], [], ["a"], ["b"]).faults()[0]
    assert "more than were in flight" in History("", [], reasked=1).faults()[0]
