"""Fifty seeded kills over 200 episodes of agents, and servers that go away: the same trajectories come out.

`TRIGPOINT_STORM_SEED=N` replays the kills of a seed, which a failure names.
"""

import os
from collections.abc import Iterator

import pytest

from app.core.errors import Conflict
from app.core.seeds import below
from app.solvers.agents.terms import Manner
from osm_import.keeping import drop_snapshot
from tests.support.command_line import trigpoint
from tests.support.processes import query, scalar, wait_until
from tests.support.runs import check_whole
from tests.workers import fault_plans
from tests.workers.agent_arena import AgentArena, made_agent_arena
from tests.workers.fault_plans import WORKERS
from tests.workers.run_history import History

SEED = int(os.environ.get("TRIGPOINT_STORM_SEED", "2035"))
QUESTIONS, KILLS, CALM = 100, 25, 60

INCOMPLETE = "select status = 'incomplete' from run where id = :id"

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentArena]:
    folder = tmp_path_factory.mktemp("agents")
    with made_agent_arena(folder, QUESTIONS, 0.1, concurrency=8, first_calls=8) as arena:
        yield arena


def check_same(arena: AgentArena, run_id: int, history: History) -> None:
    """The run ended as one that nothing disturbed, and nothing that was committed was asked again."""
    errors = "select distinct error from prediction where run_id = :id and error is not null"
    ends = [row[0] for row in query(arena.settings, errors, id=run_id)]
    told = f"TRIGPOINT_STORM_SEED={SEED}: {[moment.trouble for moment in history.moments]}, errors: {ends}"
    history.read(arena, run_id)
    faults = history.faults()
    assert not faults, "\n".join([told, *faults])
    check_whole(arena.settings, run_id, arena.questions)
    assert arena.trajectories(run_id) == arena.expected[arena.manner], told


@pytest.mark.parametrize("manner", ["native", "json"])
def test_kills(arena: AgentArena, manner: Manner) -> None:
    """SIGKILL to a worker that holds leases, 25 times: what was in flight is asked again, and nothing else."""
    arena.manner = manner
    before = arena.received()
    history = History(0, before)
    run_id = arena.start(1)
    for _ in range(WORKERS):
        arena.workers.start()
    gap = (arena.requests - CALM) // KILLS
    for number in range(KILLS):
        arena.server.wait_for(before + 1 + gap * number + below(gap, SEED, manner, number))
        victim = arena.busy_worker(run_id, below(WORKERS, SEED, "worker", manner, number))
        victim.kill()
        arena.workers.started.remove(victim)
        arena.workers.start()
        history.limit += arena.settings.concurrency
        history.note(arena, run_id, f"kill {number}")
    arena.finish(run_id)
    check_same(arena, run_id, history)
    assert history.reasked > 0, "every kill came between two calls"


def test_postgresql_goes_away(arena: AgentArena) -> None:
    """It is killed, restarted, and a session of it killed: the same workers go on, and no call is lost."""
    arena.manner = "native"
    before = arena.received()
    history = History(0, before)
    run_id = arena.start(2)
    workers = [arena.workers.start() for _ in range(WORKERS)]
    troubles = (
        fault_plans.kill_postgres,
        fault_plans.restart_postgres_at_once,
        fault_plans.kill_session,
        fault_plans.end_backends,
    )
    gap = (arena.requests - CALM) // len(troubles)
    for number, trouble in enumerate(troubles):
        arena.server.wait_for(before + 1 + gap * number + below(gap, SEED, "postgresql", number))
        trouble(arena, workers[0])
        history.note(arena, run_id, trouble.__name__)
    arena.wait_for_board(run_id)
    assert [worker.process.poll() for worker in workers] == [None, None]
    arena.finish(run_id)
    check_same(arena, run_id, history)
    assert history.reasked == 0


def test_the_endpoint_goes_away(arena: AgentArena) -> None:
    """Episodes in hand end as errors of ours; when they are asked for again they go on where they stood."""
    arena.manner = "json"
    before = arena.received()
    history = History(0, before)
    run_id = arena.start(3)
    arena.workers.start()
    half = before + arena.requests // 2
    wait_until(lambda: arena.received() >= half, "half of the requests", 240)
    arena.endpoint.stop()
    try:
        wait_until(lambda: scalar(arena.settings, INCOMPLETE, id=run_id), "the run's end", 240)
    finally:
        arena.endpoint.start()
    history.note(arena, run_id, "no endpoint")
    errors = "select count(*) from prediction where run_id = :id and state = 'error'"
    assert 0 < scalar(arena.settings, errors, id=run_id) < arena.questions
    told = "select string_agg(distinct error, ' ') from prediction where run_id = :id"
    assert "the solver failed" not in scalar(arena.settings, told, id=run_id)
    assert trigpoint(arena.settings, "run", "retry", str(run_id)).status == 0
    wait_until(
        lambda: not scalar(arena.settings, INCOMPLETE, id=run_id), "the questions to be open again", 240
    )
    arena.finish(run_id)
    check_same(arena, run_id, history)
    assert history.reasked == 0


def test_a_map_under_a_run_is_not_dropped(arena: AgentArena) -> None:
    """While it runs as before and after: a published version stands on the map."""
    arena.manner = "native"
    before = arena.received()
    run_id = arena.start(4)
    arena.workers.start()
    arena.server.wait_for(before + arena.requests // 10)
    with pytest.raises(Conflict, match="cannot be dropped: toy@1 uses it"):
        drop_snapshot(arena.settings, "tools")
    arena.finish(run_id)
    check_whole(arena.settings, run_id, arena.questions)
    assert arena.trajectories(run_id) == arena.expected["native"]
