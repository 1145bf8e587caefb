"""PostgreSQL goes away in runs: it or a session killed, restarted, a minute away; a checker reads the history.

`TRIGPOINT_STORM_SEED=N` replays the storms of a seed, which a failure names.
"""

import os
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from app.core.seeds import below
from tests.support.processes import wait_until
from tests.support.runs import check_whole
from tests.workers import fault_plans
from tests.workers.fault_plans import Storm, Trouble, postgres_of, wait_for_seconds
from tests.workers.fault_run import Arena, arena_of_its_own
from tests.workers.run_history import History

SEED = int(os.environ.get("TRIGPOINT_STORM_SEED", "2027"))
STORMS, QUESTIONS = 3, 2000
AWAY_SECONDS = 60.0

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("servers")
    with arena_of_its_own(folder, QUESTIONS, "0.2", concurrency=16, batch_size=32) as arena:
        yield arena


HALF = (
    *[Trouble(fault_plans.kill_postgres)] * 2,
    *[Trouble(fault_plans.kill_session)] * 2,
)
ALONE = (*HALF, *HALF)
MIXED = (
    *HALF,
    Trouble(fault_plans.restart_postgres_at_once),
    *[Trouble(fault_plans.kill_one, loses=1)] * 2,
    Trouble(fault_plans.restart_redis),
)


@pytest.mark.parametrize("number", range(STORMS))
def test_a_storm(arena: Arena, number: int) -> None:
    """Where the workers live on, no call in flight is lost: their answers wait for the database."""
    Storm(SEED, number, ALONE if number == 0 else MIXED).leaves_whole(arena, QUESTIONS)


def test_away_for_a_minute(arena: Arena) -> None:
    """What was in flight is stored when it is back: the same workers go on, and nothing is asked again."""
    before = arena.received()
    history = History(0, before)
    run_id = arena.start(100)
    workers = [arena.workers.start() for _ in range(fault_plans.WORKERS)]
    arena.server.wait_for(before + 1 + below(QUESTIONS - fault_plans.LAST, SEED, "away"))
    server = postgres_of(arena)
    server.stop()
    wait_for_seconds(AWAY_SECONDS)
    server.start()
    history.note(arena, run_id, "away")
    assert [worker.process.poll() for worker in workers] == [None, None]
    arena.wait_for_board(run_id)
    assert [worker.process.poll() for worker in workers] == [None, None]
    arena.finish(run_id)
    history.read(arena, run_id)
    assert history.faults() == []
    check_whole(arena.settings, run_id, QUESTIONS)
    assert arena.board(run_id) == arena.undisturbed
    logs = [worker.log.read_text() for worker in workers]
    assert all("waiting for the database" in log for log in logs)
    assert not any("Traceback" in log for log in logs)


def test_killed_while_a_run_is_scored(arena: Arena) -> None:
    """The scoring ends with its session, in one line; a sweep asks for it again."""
    run_id = arena.start(200)
    workers = [arena.workers.start() for _ in range(fault_plans.WORKERS)]
    server = postgres_of(arena)
    with closing(psycopg.connect(arena.superuser)) as blocker:
        blocker.execute("lock table trigpoint.board_aggregate in share row exclusive mode")
        waiting = (
            "select from pg_locks where not granted and relation = 'trigpoint.board_aggregate'::regclass"
        )
        wait_until(lambda: arena.execute(waiting), "the scoring to come to its boards", 240)
        server.kill()
    server.start()
    arena.wait_for_board(run_id)
    logs = [worker.log.read_text() for worker in workers]
    assert any("not scored yet" in log for log in logs)
    assert not any("Traceback" in log for log in logs)
    arena.finish(run_id)
    check_whole(arena.settings, run_id, QUESTIONS)
    assert arena.board(run_id) == arena.undisturbed
