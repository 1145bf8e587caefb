"""Makes calls of kind `facts`: looks facts up for a question. Not the call decides which facts it may see."""

import asyncio
from collections.abc import Mapping
from typing import Any

from sqlalchemy.exc import OperationalError

from app.core.errors import ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.map_tools.fact_lookup import FactsOutcome, Wanted, look_up
from app.predictions.resources import WorkerResources
from app.predictions.toolbox import CallStep, CallTerms, Executor, executor
from app.solvers.calls import FACTS, Call, CallFailure, CallResult


class FactExecutor(Executor):
    """Looks facts up; a database that is away is tried again as often as an endpoint is."""

    def __init__(self, settings: Settings, tries: int, backoff_seconds: float) -> None:
        super().__init__(tries, backoff_seconds)
        self._settings = settings

    async def execute(self, call: Call, step: CallStep, timeouts: int) -> CallResult:
        """Look up what the call asks for; its result holds a FactsOutcome."""
        await step.commit()
        try:
            outcome = await asyncio.to_thread(self._look_up, call.body)
        except (ServiceUnavailable, OperationalError) as error:
            return CallResult(failure=CallFailure(str(error), retryable=True))
        return CallResult(outcome, response=outcome.as_json())

    def replay(self, response: dict[str, Any]) -> CallResult | None:
        """The outcome that a step stored."""
        return CallResult(FactsOutcome.of(response), response=response)

    def _look_up(self, body: Mapping[str, Any]) -> FactsOutcome:
        asked = [Wanted(one["place"], one["attribute"]) for one in body["asked"]]
        with connect(self._settings, Role.WORKER) as connection:
            return look_up(connection, body["version"], body["question"], asked)


@executor(FACTS)
def open_facts(terms: CallTerms, resources: WorkerResources) -> Executor:
    """Looks facts up for all runs of the worker."""
    return FactExecutor(resources.settings, terms.tries, terms.backoff_seconds)
