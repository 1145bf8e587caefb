"""Runs of 2,000 questions through seeded storms: fifty troubles, 35 of them kills; a checker reads the history.

Two of the five storms in turn. `TRIGPOINT_STORM_SEED=N` replays all storms of a seed, which a failure names.
"""

import os
from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from tests.support.processes import scalar, wait_until
from tests.support.runs import check_whole, hashes_of
from tests.support.turns import turn
from tests.workers import fault_plans
from tests.workers.fault_plans import Storm, Trouble
from tests.workers.fault_run import Arena, made_arena

SEED = int(os.environ.get("TRIGPOINT_STORM_SEED", "2026"))
STORMS, QUESTIONS = 5, 2000
TODAY = STORMS if "TRIGPOINT_STORM_SEED" in os.environ else 2

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def arena(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Arena]:
    database = make_database()
    folder, superuser = tmp_path_factory.mktemp("storms"), superuser_of(database)
    with made_arena(folder, database, superuser, QUESTIONS, "0.2", concurrency=16, batch_size=32) as arena:
        yield arena


KILLS = (
    *[Trouble(fault_plans.kill, loses=fault_plans.WORKERS)] * 2,
    *[Trouble(fault_plans.kill_one, loses=1)] * 3,
    Trouble(fault_plans.restart_redis),
    Trouble(fault_plans.kill_beat),
)
OTHERS = (
    Trouble(fault_plans.terminate),
    Trouble(fault_plans.stop_past_its_lease, loses=1),
    Trouble(fault_plans.take_leases_from_the_living, loses=fault_plans.WORKERS),
    Trouble(fault_plans.empty_redis),
    Trouble(fault_plans.end_backends),
)


def troubles_of(number: int) -> tuple[Trouble, ...]:
    """All the kills, and three of the others: each of those comes in three of five fault_plans."""
    return (*KILLS, *(OTHERS[(number + more) % len(OTHERS)] for more in range(3)))


@pytest.mark.parametrize("place", range(TODAY))
def test_a_storm(arena: Arena, place: int) -> None:
    """In every other one the endpoint takes fewer calls than the workers have in hand, so that some wait, committed."""
    number = (TODAY * turn() + place) % STORMS
    limits = '{"concurrency": 20}' if number % 2 else "{}"
    arena.execute("update trigpoint.endpoint set limits = %s returning id", limits)
    Storm(SEED, number, troubles_of(number)).leaves_whole(arena, QUESTIONS)


def test_throughput_is_back_after_each_of_twenty_redis_restarts(arena: Arena) -> None:
    before = arena.received()
    run_id = arena.start(100)
    for _ in range(fault_plans.WORKERS):
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
