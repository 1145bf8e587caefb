"""Makes calls of kind `tool`: calls a tool on a snapshot. What is wrong with the call is a value, not a failure.

Calls read alone and cost nothing, so a step is stored whole, with its answer. The same call of the same run is
answered once by a worker: a snapshot never changes. Every call is a step of its own all the same.
"""

import time
from collections import OrderedDict
from typing import Any

from sqlalchemy.exc import DBAPIError

from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.running import BUSY, ToolRunner
from app.core.errors import NotFound, ServiceUnavailable
from app.core.identity import canonical_json, digest
from app.db.outages import first_line, will_pass
from app.inference.retrying import LIMITED_TRIES
from app.predictions.resources import WorkerResources
from app.predictions.toolbox import CallStep, CallTerms, Executor, executor
from app.solvers.calls import TOOL, Call, CallFailure, CallResult

MOST_KEPT = 4 * 1024 * 1024
"""Characters of JSON that a run's answers may have in memory; those that were used longest ago go first."""


class ToolExecutor(Executor):
    """Calls tools for one run. A router that is away is tried again as often as an endpoint is, the database ten times
    as often: all else that the run does waits for it, too.
    """

    commits_first = False

    def __init__(self, runner: ToolRunner, tries: int, backoff_seconds: float) -> None:
        super().__init__(tries, backoff_seconds)
        self._runner = runner
        self._answered: OrderedDict[str, tuple[ToolOutcome, int]] = OrderedDict()
        self._kept = 0

    async def execute(self, call: Call, step: CallStep, timeouts: int) -> CallResult:
        """Call the tool; the result holds a ToolOutcome."""
        key = digest(call.body)
        if key in self._answered:
            self._answered.move_to_end(key)
            return _answered(self._answered[key][0], 0)
        start = time.monotonic()
        try:
            outcome = await self._runner.call(call.body)
        except (ServiceUnavailable, NotFound) as error:
            return CallResult(failure=CallFailure(str(error), isinstance(error, ServiceUnavailable)))
        except DBAPIError as error:
            if not will_pass(error):
                raise
            return CallResult(
                failure=CallFailure(first_line(error), retryable=True, counts=1 / LIMITED_TRIES)
            )
        if outcome.kind == BUSY:
            return CallResult(failure=CallFailure(outcome.sentence, retryable=True))
        self._keep(key, outcome)
        return _answered(outcome, round((time.monotonic() - start) * 1000))

    def replay(self, response: dict[str, Any]) -> CallResult | None:
        """The outcome that a step stored."""
        return CallResult(ToolOutcome.of(response), response=response)

    def _keep(self, key: str, outcome: ToolOutcome) -> None:
        size = len(canonical_json(outcome.as_json()))
        _, known = self._answered.pop(key, (None, 0))  # two episodes may have asked for it at once
        self._answered[key] = outcome, size
        self._kept += size - known
        while self._kept > MOST_KEPT and len(self._answered) > 1:
            _, (_, oldest) = self._answered.popitem(last=False)
            self._kept -= oldest


def _answered(outcome: ToolOutcome, latency_ms: int) -> CallResult:
    return CallResult(outcome, response=outcome.as_json(), latency_ms=latency_ms)


@executor(TOOL)
def open_tools(terms: CallTerms, resources: WorkerResources) -> Executor:
    """Calls tools by the connections and routers that all runs of the worker share."""
    return ToolExecutor(resources.tool_runner(), terms.tries, terms.backoff_seconds)
