"""A run under a ledger in tests: leased batches, and predictions to write."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from sqlalchemy import Engine, text

from app.core.clock import ManualClock
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.predictions.leases import Claimable, Lease, claim
from app.predictions.ledger import Ledger
from app.predictions.runs import RunPlan, plan_run
from app.predictions.units import Kind, Write
from tests.support.factories import make_version, options_dataset

START = datetime(2026, 5, 1, tzinfo=UTC)
SECONDS = 60.0


class Bench:
    """A run with two leased batches of three questions, and a ledger."""

    def __init__(self, settings: Settings) -> None:
        self.version = make_version(settings, options_dataset(6))
        self.engine: Engine = make_engine(settings, Role.WORKER)
        self.clock = ManualClock(START)
        self.lost: list[int] = []
        with self.engine.begin() as connection:
            plan = RunPlan(self.version.id, "oracle", 1, "oracle")
            self.run_id = plan_run(connection, plan, START, 3).id
            leases = [claim(connection, "me", START, SECONDS, Claimable(suspects=True)) for _ in range(2)]
            rows = connection.execute(text("select id, revision from question")).all()
        self.one, self.two = [lease for lease in leases if lease is not None]
        self.revisions = {row.id: row.revision for row in rows}

    def prediction(self, lease: Lease, place: int, answer: str = "A") -> Write:
        question = lease.question_ids[place]
        return Write(
            Kind.PREDICTED,
            {
                "run_id": self.run_id,
                "version_id": self.version.id,
                "question_id": question,
                "question_revision": self.revisions[question],
                "presentation_key": "k",
                "rotation": 0,
                "repeat": 0,
                "state": "answered",
                "answer": answer,
                "detail": "{}",
                "error": None,
                "created_at": START,
            },
        )

    def run(self, work: Callable[[Ledger], Awaitable[None]], lease_seconds: float = SECONDS) -> None:
        async def main() -> None:
            ledger = Ledger(self.engine, self.clock, lease_seconds, self.lost.append)
            try:
                await asyncio.wait_for(work(ledger), 30)
            finally:
                ledger.give_up()
                await ledger.close()

        asyncio.run(main())

    def predicted(self) -> int:
        with self.engine.begin() as connection:
            return int(connection.execute(text("select count(*) from prediction")).scalar_one())
