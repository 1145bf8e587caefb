"""PostgreSQL's disk, one of its own, is full in the middle of a run and is given room again: nothing is lost or wrong.

`TRIGPOINT_STORM_SEED=N` replays the moments of a seed. Only root may mount such a disk: else it skips.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.core.seeds import below
from tests.support.own_postgres import REFUSALS
from tests.support.processes import wait_until
from tests.support.runs import check_whole
from tests.workers import fault_plans
from tests.workers.fault_plans import postgres_of, wait_for_seconds
from tests.workers.fault_run import Arena, arena_of_its_own
from tests.workers.run_history import History

SEED = int(os.environ.get("TRIGPOINT_STORM_SEED", "2028"))
QUESTIONS = 1000
DISK_MEGABYTES = 400
NO_ROOM = "No space left on device"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk"),
]


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("disk")
    with arena_of_its_own(
        folder, QUESTIONS, "0.2", disk_megabytes=DISK_MEGABYTES, concurrency=16, batch_size=32
    ) as arena:
        yield arena


@pytest.mark.parametrize("number", range(2))
def test_no_room_for_answers(arena: Arena, number: int) -> None:
    """Tables cannot grow: the workers say so and wait, and store what they were answered when there is room."""
    before = arena.received()
    history = History(0, before)
    run_id = arena.start(1 + number)
    workers = [arena.workers.start() for _ in range(fault_plans.WORKERS)]
    arena.server.wait_for(before + 1 + below(QUESTIONS - fault_plans.LAST, SEED, "moment", number))
    with full_disk(arena):
        wait_until(
            lambda: any(NO_ROOM in worker.log.read_text() for worker in workers), "a full disk to be told"
        )
        wait_for_seconds(2 * arena.settings.lease_seconds)
    history.note(arena, run_id, "full disk")
    arena.wait_for_board(run_id)
    assert [worker.process.poll() for worker in workers] == [None, None]
    check_undisturbed(arena, run_id, history)
    assert not any("Traceback" in worker.log.read_text() for worker in workers)


def test_killed_on_a_full_disk(arena: Arena) -> None:
    """PostgreSQL cannot even start; when there is room it has all that was committed, and the workers go on."""
    before = arena.received()
    history = History(0, before)
    run_id = arena.start(100)
    workers = [arena.workers.start() for _ in range(fault_plans.WORKERS)]
    arena.server.wait_for(before + 1 + below(QUESTIONS - fault_plans.LAST, SEED, "killed"))
    server = postgres_of(arena)
    with full_disk(arena):
        server.kill()
        with pytest.raises(REFUSALS, match=f"{NO_ROOM}|did not start"):
            server.start()
        wait_for_seconds(2 * arena.settings.lease_seconds)
    server.start()
    history.note(arena, run_id, "killed on a full disk")
    arena.wait_for_board(run_id)
    assert [worker.process.poll() for worker in workers] == [None, None]
    check_undisturbed(arena, run_id, history)


@contextmanager
def full_disk(arena: Arena) -> Iterator[None]:
    """A file takes all the room that is left, while the endpoint holds its answers back: else all may come before."""
    ballast = postgres_of(arena).place.data / "ballast"
    try:
        arena.server.hold()
        with pytest.raises(OSError, match=NO_ROOM):
            ballast.write_bytes(bytes(DISK_MEGABYTES * 2**20))
        arena.server.release()
        yield
    finally:
        ballast.unlink()


def check_undisturbed(arena: Arena, run_id: int, history: History) -> None:
    arena.finish(run_id)
    history.read(arena, run_id)
    faults = history.faults()
    assert not faults, "\n".join([f"TRIGPOINT_STORM_SEED={SEED}", *faults])
    check_whole(arena.settings, run_id, QUESTIONS)
    assert arena.board(run_id) == arena.undisturbed
