"""Twenty seeded rounds of trouble over one data set: whatever happens, each run ends as one that nothing disturbed."""

import signal
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
import redis

from app.core.seeds import below, choose
from app.core.settings import Settings
from tests.support.processes import Worker, scalar, wait_until
from tests.support.runs import check_whole, hashes_of
from tests.workers.fault_run import BACKENDS, Arena, made_arena

SEED = 20
ROUNDS = 20
QUESTIONS = 60

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def arena(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Arena]:
    database = make_database()
    folder, superuser = tmp_path_factory.mktemp("arena"), superuser_of(database)
    with made_arena(folder, database, superuser, QUESTIONS, "0.05") as arena:
        yield arena


# --- trouble: each does its worst and gives how many questions were in flight and are to be asked again ----


def kill(arena: Arena, run_id: int, worker: Worker) -> int:
    pids = [row[0] for row in arena.execute(BACKENDS)]
    worker.kill()
    arena.wait_for_backends(pids)
    return len(hashes_of(arena.settings, run_id, "sent"))


def terminate(arena: Arena, run_id: int, worker: Worker) -> int:
    worker.signal(signal.SIGTERM)
    worker.process.wait(40)
    assert hashes_of(arena.settings, run_id, "sent") == []
    return 0


def empty_redis(arena: Arena, run_id: int, worker: Worker) -> int:
    with redis.Redis(port=arena.broker.port) as client:
        client.flushall()
    return 0


def restart_redis(arena: Arena, run_id: int, worker: Worker) -> int:
    arena.broker.kill()
    arena.broker.start()
    return 0


def end_backends(arena: Arena, run_id: int, worker: Worker) -> int:
    ended = arena.execute(f"select pg_terminate_backend(pid) from ({BACKENDS}) as theirs")
    assert ended
    return 0


def add_worker(arena: Arena, run_id: int, worker: Worker) -> int:
    arena.workers.start()
    return 0


TROUBLES = (kill, terminate, empty_redis, restart_redis, end_backends, add_worker)


def wait_for_moment(arena: Arena, run_id: int, before: int, number: int) -> None:
    """A seeded moment between the first question and nearly the last, by one of two counts."""
    moment = 1 + below(QUESTIONS - 10, SEED, "moment", number)
    if choose(("requests", "predictions"), SEED, "count", number) == "requests":
        arena.server.wait_for(before + moment)
        return
    committed = "select count(*) from prediction where run_id = :id"
    wait_until(lambda: scalar(arena.settings, committed, id=run_id) >= moment, f"{moment} predictions")


@pytest.mark.parametrize("number", range(ROUNDS))
def test_trouble_at_any_moment(arena: Arena, number: int) -> None:
    """Every trouble comes at least three times; the moments are seeded."""
    trouble = TROUBLES[number % len(TROUBLES)]
    before = len(arena.server.requests())
    run_id = arena.start(1 + number)
    worker = arena.workers.start()
    wait_for_moment(arena, run_id, before, number)
    in_flight = trouble(arena, run_id, worker)
    committed = set(hashes_of(arena.settings, run_id, "done"))
    seen = len(arena.server.requests())
    arena.workers.start()
    arena.finish(run_id)

    check_whole(arena.settings, run_id, QUESTIONS)
    log = [request["hash"] for request in arena.server.requests()]
    assert not committed & set(log[seen:]), "a committed question was asked again"
    lost = hashes_of(arena.settings, run_id, "lost")
    assert scalar(arena.settings, "select reasked from run where id = :id", id=run_id) == in_flight
    assert len(lost) == in_flight
    asked = Counter(log[before:])
    assert {key for key, times in asked.items() if times > 1} <= set(lost)
    assert sorted(hashes_of(arena.settings, run_id, "done")) == sorted(asked)
    assert hashes_of(arena.settings, run_id, "sent") == []
    assert arena.board(run_id) == arena.undisturbed


def test_rounds_had_something_to_lose(arena: Arena) -> None:
    """Had every kill come between two calls, the rounds would have shown nothing."""
    assert scalar(arena.settings, "select sum(reasked) from run") > 0
