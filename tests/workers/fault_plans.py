"""Storms: a run through seeded troubles. Each does its worst, and leaves somebody at work.

A trouble says of how many workers it may lose the calls in flight: of each, as many as one may have in flight.
"Killed" is SIGKILL.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql
from sqlalchemy import text

from app.core.clock import SystemClock
from app.core.seeds import below, choose, shuffled
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.sweeping import sweep
from tests.support.own_postgres import OwnPostgres
from tests.support.processes import Worker, wait_until
from tests.support.runs import check_whole
from tests.workers.fault_run import BACKENDS, Arena
from tests.workers.run_history import History

WORKERS = 2
LAST = 200
"""So many requests before the end of a run, no trouble begins any more."""


@dataclass(frozen=True)
class Trouble:
    """What is done, and of how many workers the calls in flight may be lost by it."""

    act: Callable[[Arena, Worker], None]
    loses: int = 0

    @property
    def name(self) -> str:
        """What it is called where a storm is told."""
        return self.act.__name__


@dataclass(frozen=True)
class Storm:
    """Each of these troubles once, at a moment of its own; the same seed and number give the same order and moments."""

    seed: int
    number: int
    troubles: tuple[Trouble, ...]
    calm: int = LAST

    def blow(self, arena: Arena, questions: int) -> tuple[int, History]:
        """A new run of so many questions taken through it: its id, and what happened in it."""
        before = arena.received()
        history = History(0, before)
        run_id = arena.start(1 + self.number)
        for _ in range(WORKERS):
            arena.workers.start()
        gap = (questions - self.calm) // len(self.troubles)
        for at, trouble in enumerate(shuffled(self.troubles, self.seed, "troubles", self.number)):
            arena.server.wait_for(before + 1 + gap * at + below(gap, self.seed, "moment", self.number, at))
            trouble.act(arena, choose(arena.workers.started, self.seed, "worker", self.number, at))
            history.limit += trouble.loses * arena.settings.concurrency
            history.note(arena, run_id, trouble.name)
        arena.finish(run_id)
        history.read(arena, run_id)
        return run_id, history

    def leaves_whole(self, arena: Arena, questions: int) -> int:
        """Fails, with the seed, where the run through it differs from the undisturbed one; its id."""
        run_id, history = self.blow(arena, questions)
        assert arena.beat.process.poll() is None, arena.beat.log.read_text()
        names = [moment.trouble for moment in history.moments]
        told = f"TRIGPOINT_STORM_SEED={self.seed}, storm {self.number}: {names}"
        faults = history.faults()
        assert not faults, "\n".join([told, *faults])
        check_whole(arena.settings, run_id, questions)
        assert arena.board(run_id) == arena.undisturbed, told
        return run_id


def kill(arena: Arena, worker: Worker) -> None:
    """SIGKILL to all workers at once."""
    pids = [row[0] for row in arena.execute(BACKENDS)]
    for one in arena.workers.started:
        one.kill()
    arena.wait_for_backends(pids)
    arena.workers.started.clear()
    for _ in range(WORKERS):
        arena.workers.start()


def kill_one(arena: Arena, worker: Worker) -> None:
    """SIGKILL to one worker."""
    worker.kill()
    arena.workers.started.remove(worker)
    arena.workers.start()


def terminate(arena: Arena, worker: Worker) -> None:
    """SIGTERM to one worker, which ends when what it has in flight is stored."""
    worker.signal(signal.SIGTERM)
    worker.process.wait(60)
    arena.workers.started.remove(worker)
    arena.workers.start()


def stop_past_its_lease(arena: Arena, worker: Worker) -> None:
    """One worker stands still until its leases have run out, and wakes."""
    worker.signal(signal.SIGSTOP)
    wait_for_seconds(1.5 * arena.settings.lease_seconds)
    worker.signal(signal.SIGCONT)


def take_leases_from_the_living(arena: Arena, worker: Worker) -> None:
    """All leases are taken back while their holders live and work: soon two workers ask what was one's."""
    take_leases(arena.settings)


def take_leases(settings: Settings) -> None:
    """Take all leases back, as a sweeper would whose clock is an hour fast."""
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text("update batch set deadline = deadline - interval '1 hour' where state = 'leased'")
        )
        sweep(connection, SystemClock().now())


def kill_beat(arena: Arena, worker: Worker) -> None:
    """SIGKILL to the schedule's process."""
    arena.beat.kill()
    arena.start_beat()


def empty_redis(arena: Arena, worker: Worker) -> None:
    """Every message is gone."""
    with redis.Redis(port=arena.broker.port) as client:
        client.flushall()


def restart_redis(arena: Arena, worker: Worker) -> None:
    """SIGKILL to Redis; it starts empty."""
    arena.broker.kill()
    arena.broker.start()


def end_backends(arena: Arena, worker: Worker) -> None:
    """PostgreSQL ends all sessions of workers."""
    assert arena.execute(f"select pg_terminate_backend(pid) from ({BACKENDS}) as theirs")


def kill_session(arena: Arena, worker: Worker) -> None:
    """SIGKILL to the session that a worker used last; PostgreSQL ends all others, and recovers."""
    latest = f"{BACKENDS} order by state_change desc limit 1"
    ((pid,),) = wait_until(lambda: arena.execute(latest), "a session of a worker")
    postgres_of(arena).kill_session(pid)


def kill_postgres(arena: Arena, worker: Worker) -> None:
    """SIGKILL to PostgreSQL; it recovers."""
    server = postgres_of(arena)
    server.kill()
    server.start()


def restart_postgres_at_once(arena: Arena, worker: Worker) -> None:
    """`pg_ctl restart -m immediate`."""
    postgres_of(arena).restart_at_once()


@contextmanager
def away(settings: Settings, superuser: str) -> Iterator[None]:
    """For so long, one database of a shared server lets nobody in; `superuser` leads to another one."""
    name = sql.Identifier(urlsplit(settings.database_url).path.strip("/"))
    allow = sql.SQL("alter database {} allow_connections {}")
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute(allow.format(name, sql.SQL("false")))
        end = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s"
        connection.execute(end, (name.as_string().strip('"'),))
        try:
            yield
        finally:
            connection.execute(allow.format(name, sql.SQL("true")))


def postgres_of(arena: Arena) -> OwnPostgres:
    """The arena's own server."""
    assert arena.postgres is not None
    return arena.postgres


def wait_for_seconds(seconds: float) -> None:
    """Where nothing but time is waited for."""
    until = time.monotonic() + seconds
    wait_until(lambda: time.monotonic() > until, "time to pass", 2 * seconds)
