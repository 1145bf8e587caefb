"""Makes calls of kind `sql`: runs a model's SQL in the sandbox. What the SQL did wrong is a value, not a failure."""

from typing import Any

from app.core.errors import ServiceUnavailable
from app.core.settings import Settings
from app.map_tools.sandbox import Sandbox
from app.map_tools.sql_running import SqlOutcome, SqlRunner
from app.predictions.resources import WorkerResources
from app.predictions.toolbox import CallStep, CallTerms, Executor, executor
from app.solvers.calls import SQL, Call, CallFailure, CallResult


class SqlExecutor(Executor):
    """Runs SQL; a sandbox that is away is tried again as often as an endpoint is."""

    def __init__(self, runner: SqlRunner, tries: int, backoff_seconds: float) -> None:
        super().__init__(tries, backoff_seconds)
        self._runner = runner

    async def execute(self, call: Call, step: CallStep, timeouts: int) -> CallResult:
        """Run the SQL of the call; its result holds a SqlOutcome."""
        await step.commit()
        try:
            outcome = await self._runner.ask(call.body["schema"], call.body["relations"], call.body["sql"])
        except ServiceUnavailable as error:
            return CallResult(failure=CallFailure(str(error), retryable=True))
        return CallResult(outcome, response=outcome.as_json())

    def replay(self, response: dict[str, Any]) -> CallResult | None:
        """The outcome that a step stored."""
        return CallResult(SqlOutcome.of(response), response=response)


def _check_sandbox(settings: Settings) -> None:
    """Raise SettingsError where the worker has no way to the sandbox."""
    Sandbox(settings)


@executor(SQL, check=_check_sandbox)
def open_sql(terms: CallTerms, resources: WorkerResources) -> Executor:
    """Runs SQL beside all other runs of the worker."""
    return SqlExecutor(resources.sql_runner(), terms.tries, terms.backoff_seconds)
