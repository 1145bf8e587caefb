"""Twenty seeded rounds of trouble over one data set: whatever happens, each run ends as one that nothing disturbed."""

import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
import redis

from app.core.seeds import below, choose
from app.core.settings import Settings
from tests.factories import MadeVersion, make_version, options_dataset
from tests.processes import (
    PrivateRedis,
    Scripted,
    Worker,
    Workers,
    private_redis,
    query,
    scalar,
    scripted_endpoint,
    wait_until,
    with_short_leases,
)
from tests.runs import ask, check_whole, hashes_of, wait_for_end, wait_for_scores

SEED = 20
ROUNDS = 20
QUESTIONS = 60
MODEL = "scripted:slow"
BACKENDS = (
    "select pid from pg_stat_activity where datname = current_database() and usename = 'trigpoint_worker'"
)

pytestmark = pytest.mark.long


@dataclass
class Arena:
    """What all rounds share: a database with one data set, a broker, an endpoint, and what should come out."""

    settings: Settings
    superuser: str
    broker: PrivateRedis
    server: Scripted
    workers: Workers
    version: MadeVersion
    undisturbed: list[Any]

    def board(self, run_id: int) -> list[Any]:
        """What boards show of a run."""
        columns = "profile, scope, scorer_version, n, score, low, high, interval, states"
        return query(
            self.settings,
            f"select {columns} from board_aggregate where run_id = :id order by 1, 2",
            id=run_id,
        )

    def execute(self, statement: str, *binds: Any) -> list[Any]:
        """The rows of a statement, as superuser: not among the backends that are watched."""
        with psycopg.connect(self.superuser, autocommit=True) as connection:
            return connection.execute(statement.encode(), binds).fetchall()

    def start_round(self, seed: int) -> int:
        """One more run of the same questions, enqueued."""
        return ask(self.settings, self.version, self.server.url, MODEL, seed)

    def finish(self, run_id: int) -> None:
        """Wait for the run's scores, then end every worker."""
        wait_for_end(self.settings, run_id)
        wait_for_scores(self.settings, run_id)
        self.workers.kill_all()
        self.workers.started.clear()


@pytest.fixture(scope="module")
def arena(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("arena")
    with ExitStack() as stack:
        broker = stack.enter_context(private_redis(folder))
        server = stack.enter_context(scripted_endpoint(folder, "slow", "--delay", "0.05"))
        settings = with_short_leases(make_database(), broker, folder)
        workers = Workers(settings, folder)
        stack.callback(workers.kill_all)
        version = make_version(settings, options_dataset(QUESTIONS))
        made = Arena(settings, superuser_of(settings), broker, server, workers, version, [])
        run_id = made.start_round(0)
        workers.start()
        made.finish(run_id)
        made.undisturbed = made.board(run_id)
        check_whole(settings, run_id, QUESTIONS)
        assert len(server.requests()) == QUESTIONS
        assert made.undisturbed
        yield made


# --- trouble: each does its worst and gives how many questions were in flight and are to be asked again ----


def kill(arena: Arena, run_id: int, worker: Worker) -> int:
    pids = [row[0] for row in arena.execute(BACKENDS)]
    worker.kill()
    # What the dead worker sent to the database before it died is still carried out.
    alive = "select 1 from pg_stat_activity where pid = any(%s)"
    wait_until(lambda: not arena.execute(alive, pids), "the dead worker's backends to end")
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
    run_id = arena.start_round(1 + number)
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
