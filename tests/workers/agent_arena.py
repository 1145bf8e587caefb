"""Where agents' runs are troubled: the town of tools, a PostgreSQL that may go away, workers, and what should come out."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.cli.local_worker import worker_environment
from app.predictions.leases import SUSPECT_FROM
from app.predictions.messages import WORK, Messenger, make_celery
from app.solvers.agents.terms import Manner
from tests.support.agent_runs import make_town_of_questions, plan_agent
from tests.support.own_postgres import own_postgres
from tests.support.processes import (
    Worker,
    Workers,
    private_redis,
    query,
    start_beat,
    wait_until,
    with_short_leases,
)
from tests.support.routers import own_routers
from tests.support.runs import check_whole
from tests.workers.agent_model import ASKED, CALLS, AgentEndpoint, agent_endpoint
from tests.workers.fault_plans import WORKERS
from tests.workers.fault_run import Arena

STEPS = """
select question_id, ordinal, kind, request - 'seed' as request, response
from step
where run_id = :id and state = 'done'
order by question_id, ordinal
"""
PREDICTIONS = """
select question_id, state, answer, detail, error
from prediction
where run_id = :id
order by question_id
"""
HOLDERS = """
select distinct batch.owner
from trigpoint.batch
where
    batch.state = 'leased'
    and batch.run_id = %s
    and (
        batch.attempt < %s
        or exists (
            select 1
            from trigpoint.step
            where
                step.run_id = batch.run_id
                and step.batch_id = batch.id
                and step.fencing_token = batch.fencing_token
                and step.state = 'done'
        )
    )
order by batch.owner
"""
"""Who holds leases; but where a question stood still under two workers, a third would end it as their cause."""


@dataclass
class AgentArena(Arena):
    """Runs of the solver `tools`, in the manner that is set. `expected`: by manner, what nothing disturbed."""

    questions: int = 0
    manner: Manner = "native"
    endpoint: AgentEndpoint = field(kw_only=True)
    expected: dict[Manner, list[Any]] = field(default_factory=dict)

    @property
    def requests(self) -> int:
        """How often a run asks the model."""
        return self.questions * ASKED[self.manner]

    def start(self, seed: int) -> int:
        """One more run of the same questions, enqueued."""
        run_id = plan_agent(
            self.settings, self.version, self.server.url, seed=seed, manner=self.manner, lenient=True
        )
        Messenger(make_celery(self.settings)).send(WORK)
        return run_id

    def trajectories(self, run_id: int) -> list[Any]:
        """Every step with its answer, and every prediction; but for the seed, which is the run's own."""
        return [*query(self.settings, STEPS, id=run_id), *query(self.settings, PREDICTIONS, id=run_id)]

    def busy_worker(self, run_id: int, place: int) -> Worker:
        """One of the workers that hold leases of a run and may be lost, once one does; which one, `place` says."""
        owners = wait_until(
            lambda: self.execute(HOLDERS, run_id, SUSPECT_FROM), "a worker that may be lost", 120
        )
        pids = [int(owner.rsplit(":", 1)[1]) for (owner,) in owners]
        groups = sorted(filter(None, map(_group_of, pids)))
        living = [worker for worker in self.workers.started if worker.process.pid in groups]
        return living[place % len(living)] if living else self.workers.started[0]


def _group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


@contextmanager
def made_agent_arena(folder: Path, questions: int, delay: float, **changes: Any) -> Iterator[AgentArena]:
    """An arena of so many questions, in which a run in each manner has passed undisturbed."""
    with ExitStack() as stack:
        server = stack.enter_context(own_postgres(folder))
        broker = stack.enter_context(private_redis(folder))
        endpoint = stack.enter_context(agent_endpoint(folder, delay))
        short = with_short_leases(server.settings(), broker, folder).model_copy(update=changes)
        settings = stack.enter_context(own_routers(short, folder / "local"))
        version = make_town_of_questions(settings, folder, questions)
        workers = Workers(settings, folder)
        stack.callback(workers.kill_all)
        beat = start_beat(worker_environment(settings), folder / "beat.log")
        arena = AgentArena(
            settings,
            endpoint.as_scripted(),
            version,
            server.superuser,
            broker,
            workers,
            beat,
            server,
            questions=questions,
            endpoint=endpoint,
        )
        stack.callback(lambda: arena.beat.kill())
        for manner in ("native", "json"):
            _pass_undisturbed(arena, manner)
        yield arena


def _pass_undisturbed(arena: AgentArena, manner: Manner) -> None:
    arena.manner = manner
    before = arena.received()
    run_id = arena.start(0)
    for _ in range(WORKERS):
        arena.workers.start()
    arena.finish(run_id)
    check_whole(arena.settings, run_id, arena.questions)
    assert arena.received() - before == arena.requests
    arena.expected[manner] = arena.trajectories(run_id)
    assert len(arena.expected[manner]) == arena.questions * (ASKED[manner] + CALLS + 1)
