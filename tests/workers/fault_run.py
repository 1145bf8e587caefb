"""What rounds of trouble share: a database with one data set, a broker, an endpoint, and what should come out."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from app.cli.local_worker import worker_environment
from app.core.settings import Settings
from tests.support.factories import MadeVersion, make_version, options_dataset
from tests.support.own_postgres import OwnPostgres, own_postgres
from tests.support.processes import (
    PrivateRedis,
    Scripted,
    Worker,
    Workers,
    private_redis,
    query,
    scalar,
    scripted_endpoint,
    start_beat,
    wait_until,
    with_short_leases,
)
from tests.support.runs import ask, check_whole

MODEL = "scripted:slow"
BACKENDS = (
    "select pid from pg_stat_activity where datname = current_database() and usename = 'trigpoint_worker'"
)


@dataclass
class Stage:
    """Where runs of one data set are asked, wherever their workers live."""

    settings: Settings
    server: Scripted
    version: MadeVersion

    def board(self, run_id: int) -> list[Any]:
        """What boards show of a run."""
        columns = "profile, scope, scorer_version, n, score, low, high, interval, states"
        return query(
            self.settings,
            f"select {columns} from board_aggregate where run_id = :id order by 1, 2",
            id=run_id,
        )

    def received(self) -> int:
        """How many requests the endpoint has received."""
        with self.server.log.open("rb") as log:
            return sum(1 for _ in log)

    def start(self, seed: int) -> int:
        """One more run of the same questions, enqueued."""
        return ask(self.settings, self.version, self.server.url, MODEL, seed)

    def wait_for_board(self, run_id: int) -> None:
        """Wait for the run's end and its scores."""
        ended = "select status in ('complete', 'incomplete') from run where id = :id"
        wait_until(lambda: scalar(self.settings, ended, id=run_id), "the run's end", 240)
        scored = "select count(*) from board_aggregate where run_id = :id"
        wait_until(lambda: scalar(self.settings, scored, id=run_id), "the run's scores", 120)


@dataclass
class Arena(Stage):
    """Workers and the schedule on this machine; `undisturbed` is the board of a run that nothing disturbed."""

    superuser: str
    broker: PrivateRedis
    workers: Workers
    beat: Worker
    postgres: OwnPostgres | None = None
    undisturbed: list[Any] = field(default_factory=list)

    def execute(self, statement: str, *binds: Any) -> list[Any]:
        """The rows of a statement, as superuser: not among the backends that are watched."""
        with psycopg.connect(self.superuser, autocommit=True) as connection:
            return connection.execute(statement.encode(), binds).fetchall()

    def start_beat(self) -> None:
        """Start the schedule's process again."""
        self.beat = start_beat(worker_environment(self.settings), self.beat.log)

    def finish(self, run_id: int) -> None:
        """Wait for the run's scores, then end every worker."""
        self.wait_for_board(run_id)
        self.workers.kill_all()
        self.workers.started.clear()

    def wait_for_backends(self, pids: list[int]) -> None:
        """What a dead worker sent to the database before it died is still carried out: wait for that."""
        alive = "select 1 from pg_stat_activity where pid = any(%s)"
        wait_until(lambda: not self.execute(alive, pids), "the dead workers' backends to end")


@contextmanager
def arena_of_its_own(
    folder: Path, questions: int, delay: str, disk_megabytes: int = 0, **changes: Any
) -> Iterator[Arena]:
    """An arena on a PostgreSQL of its own, which may go away."""
    with own_postgres(folder, disk_megabytes) as server:
        database = server.settings()
        with made_arena(folder, database, server.superuser, questions, delay, **changes) as arena:
            arena.postgres = server
            yield arena


@contextmanager
def made_arena(
    folder: Path, database: Settings, superuser: str, questions: int, delay: str, **changes: Any
) -> Iterator[Arena]:
    """An arena of so many questions, answered after `delay` seconds; `changes` are of the settings."""
    with ExitStack() as stack:
        broker = stack.enter_context(private_redis(folder))
        server = stack.enter_context(scripted_endpoint(folder, "slow", "--delay", delay))
        settings = with_short_leases(database, broker, folder).model_copy(update=changes)
        workers = Workers(settings, folder)
        stack.callback(workers.kill_all)
        version = make_version(settings, options_dataset(questions))
        beat = start_beat(worker_environment(settings), folder / "beat.log")
        arena = Arena(settings, server, version, superuser, broker, workers, beat)
        stack.callback(lambda: arena.beat.kill())
        run_id = arena.start(0)
        workers.start()
        arena.finish(run_id)
        arena.undisturbed = arena.board(run_id)
        check_whole(settings, run_id, questions)
        assert arena.received() == questions
        assert arena.undisturbed
        yield arena
