"""What people ask of a run: pause, resume, cancel, retry. Each is one transaction over the run's row.

Workers need no message: they look at the row before every call and at every renewal of their leases.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.inference.tokens import Tokens
from app.predictions import queries_control
from app.predictions.accounts import LIVE, Budget
from app.predictions.costs import Prices
from app.predictions.runs import Terms, finish_if_done, no_run, reopen_errors, set_terms


@dataclass(frozen=True)
class Asked:
    """What became of a run that was asked for something; `changed` is false where it was so already."""

    run: int
    was: str
    changed: bool = True
    finished: bool = False


def pause(
    connection: Connection, run_id: int, reason: Literal["request", "interrupted"] = "request"
) -> Asked:
    """No call leaves any more; what is in flight is finished and stored. The caller commits.

    The `reason` tells whether somebody asked for it or stopped the command that waited for the run. Raises NotFound,
    and Conflict for a run that is finished or cancelled.
    """
    status = _lock(connection, run_id)
    if status == "paused":
        return Asked(run_id, status, changed=False)
    if status not in LIVE:
        raise Conflict(f"Run {run_id} is {status}: there is nothing to pause.")
    connection.execute(queries_control.PAUSE_RUN, {"run_id": run_id, "reason": reason})
    return Asked(run_id, status)


def resume(
    connection: Connection, run_id: int, budget: Budget, now: datetime, *, unlimited: bool = False
) -> Asked:
    """A paused run goes on, under `budget` where one is given, or under none. The caller commits.

    Raises NotFound, UsageError as `set_terms` does, Conflict for a run that is not paused, or whose budget is used up.
    """
    row = set_terms(connection, run_id, Terms(budget))
    if row.status in LIVE:
        return Asked(run_id, row.status, changed=False)
    if row.status == "cancelled":
        raise Conflict(
            f"Run {run_id} is cancelled, which is final: `trigpoint evaluate … --reuse` makes another from its answers."
        )
    if row.status != "paused":
        raise Conflict(f"Run {run_id} is {row.status}: there is nothing to resume.")
    if unlimited:
        connection.execute(queries_control.SET_BUDGET, {"run_id": run_id, "budget": None})
    elif row.pause_reason == "budget":
        _check_more(run_id, budget, Budget.of(row.budget))
        spent = Tokens(row.spent_prompt, row.spent_completion)
        if not budget.over(Budget.of(row.budget)).suffices(
            Tokens(spent.prompt + 1, spent.completion), Prices.of(row.prices)
        ):
            raise Conflict(
                f"Run {run_id} has spent {sum(spent)} tokens already: such a budget is used up; give a larger one."
            )
    connection.execute(queries_control.RESUME_RUN, {"run_id": run_id})
    return Asked(run_id, "paused", finished=finish_if_done(connection, run_id, now))


def _check_more(run_id: int, given: Budget, before: Budget) -> None:
    """Raise Conflict where nothing is given that goes beyond the budget that did not suffice."""
    more_tokens = given.tokens is not None and (before.tokens is None or given.tokens > before.tokens)
    more_money = given.money is not None and (before.money is None or given.money > before.money)
    if not (more_tokens or more_money):
        limits = [
            *([] if before.tokens is None else [f"{before.tokens} tokens"]),
            *([] if before.money is None else [f"{before.money} in money"]),
        ]
        raise Conflict(
            f"Run {run_id} is paused because its budget of {' and '.join(limits)} does not suffice for another call: "
            "give a larger --budget-tokens or --budget-money, or --no-budget."
        )


def cancel(connection: Connection, run_id: int, now: datetime) -> Asked:
    """The run ends here: it keeps its answers, is never ranked, and never goes on. The caller commits.

    Raises NotFound, Conflict for a run that is finished.
    """
    status = _lock(connection, run_id)
    if status == "cancelled":
        return Asked(run_id, status, changed=False)
    if status in ("complete", "incomplete"):
        raise Conflict(f"Run {run_id} is {status}: what is finished cannot be cancelled.")
    connection.execute(queries_control.CANCEL_RUN, {"run_id": run_id, "now": now})
    return Asked(run_id, status)


def retry(connection: Connection, run_id: int, batch_size: int) -> tuple[Asked, int]:
    """Open the questions that ended in an error, and only those; how many they are. The caller commits.

    Raises NotFound, Conflict for a run without errors, or one that is not finished.
    """
    status = _lock(connection, run_id)
    if status == "complete":
        raise Conflict(f"Run {run_id} is complete: none of its answers is an error.")
    if status == "cancelled":
        raise Conflict(f"Run {run_id} is cancelled, which is final.")
    if status != "incomplete":
        raise Conflict(f"Run {run_id} is {status}: its errors are tried again when all else is done.")
    return Asked(run_id, status), reopen_errors(connection, run_id, batch_size)


def _lock(connection: Connection, run_id: int) -> str:
    row = connection.execute(queries_control.LOCK_RUN, {"run_id": run_id}).one_or_none()
    if row is None:
        raise no_run(run_id)
    return str(row.status)
