"""`trigpoint run pause|resume|cancel|retry`: what a run is told. PostgreSQL is told; Redis may be away."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from sqlalchemy import Connection

from app.cli.output import emit, say
from app.cli.waiting import warn_without_worker
from app.core.clock import SystemClock
from app.core.errors import ServiceUnavailable, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions import control
from app.predictions.accounts import Budget
from app.predictions.messages import SCORE, WORK, Messenger, make_celery
from app.predictions.progress import progress_of

RunId = Annotated[int, typer.Argument(help="the run's number")]
Json = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


def pause(run_id: RunId, as_json: Json = False) -> None:
    """Pause a run. Calls in flight are finished and stored; the other questions wait for `run resume`."""
    asked = _tell(run_id, as_json, lambda connection: control.pause(connection, run_id))
    say(f"Run {run_id} is paused." if asked.changed else f"Run {run_id} was paused already.")


def resume(
    run_id: RunId,
    budget_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="limit on the tokens of all calls of the run, including earlier calls"),
    ] = None,
    budget_money: Annotated[
        str | None,
        typer.Option(help="limit on the cost of all calls of the run, in the currency of its prices"),
    ] = None,
    no_budget: Annotated[bool, typer.Option("--no-budget", help="remove the limit")] = False,
    as_json: Json = False,
) -> None:
    """Continue a paused run. If it was paused because of its budget, give a larger budget."""
    budget = Budget.given(budget_tokens, budget_money)
    if no_budget and budget.as_json() is not None:
        raise UsageError("--no-budget and a budget contradict each other: give one of them.")
    now = SystemClock().now()
    asked = _tell(
        run_id,
        as_json,
        lambda connection: control.resume(connection, run_id, budget, now, unlimited=no_budget),
    )
    if asked.finished:
        _send(SCORE, run_id)
    elif asked.changed:
        _send(WORK)
    say(
        f"Run {run_id} may continue." if asked.changed else f"Run {run_id} is {asked.was}: it was not paused."
    )
    _say_who_works()


def cancel(run_id: RunId, as_json: Json = False) -> None:
    """End a run permanently. Its answers are kept, but it gets no rank and cannot be continued."""
    now = SystemClock().now()
    asked = _tell(run_id, as_json, lambda connection: control.cancel(connection, run_id, now))
    say(f"Run {run_id} is cancelled." if asked.changed else f"Run {run_id} was cancelled already.")


def retry(run_id: RunId, as_json: Json = False) -> None:
    """Ask again the questions of a finished run that ended in an error, and only those."""
    settings = Settings.load()
    opened = 0

    def work(connection: Connection) -> control.Asked:
        nonlocal opened
        asked, opened = control.retry(connection, run_id, settings.batch_size)
        return asked

    _tell(run_id, as_json, work)
    _send(WORK)
    say(f"Run {run_id}: {opened} questions that ended in an error are asked again.")
    _say_who_works()


def _tell(run_id: int, as_json: bool, work: Callable[[Connection], control.Asked]) -> control.Asked:
    """Do `work` in one transaction, and print where the run stands after it."""
    with connect(Settings.load(), Role.WORKER) as connection:
        asked = work(connection)
        connection.commit()
        found = progress_of(connection, run_id)
    emit(found.as_json() | {"progress": found.told()}, as_json)
    return asked


def _say_who_works() -> None:
    settings = Settings.load()
    with connect(settings, Role.WORKER) as connection:
        warn_without_worker(connection, settings)


def _send(task: str, *arguments: Any) -> None:
    """Wake a worker; where Redis is away the sweepers find what waits."""
    try:
        Messenger(make_celery(Settings.load())).send(task, *arguments)
    except ServiceUnavailable:
        say("Redis does not answer, so no worker was told. A worker notices this request at its next sweep.")
