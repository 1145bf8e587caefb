"""Runs and endpoints as REST starts and stores them: nothing is called here, workers do that."""

from datetime import datetime

from sqlalchemy import Connection

from app.core.errors import Conflict, UsageError
from app.predictions.endpoints import read_endpoint
from app.predictions.planning import Wanted, draft_run
from app.predictions.runs import EndpointRow, Planned, find_endpoint, plan_run
from app.questions.versions import find_version


def start_run(
    connection: Connection,
    dataset: str,
    wanted: Wanted,
    endpoint: str | None,
    batch_size: int,
    now: datetime,
) -> Planned:
    """The run that is wanted, made or gone on with. The caller commits, and wakes workers.

    Raises NotFound, UsageError, Conflict for an endpoint whose last look was not good.
    """
    draft = draft_run(connection, find_version(connection, dataset), wanted)
    plan = draft.plan
    if draft.solver.calls_endpoint:
        if endpoint is None:
            raise UsageError(f"The solver `{wanted.solver}` needs an endpoint: name one.")
        plan = draft.asking(connection, _good(connection, endpoint))
    elif endpoint is not None:
        raise UsageError(f"The solver `{wanted.solver}` does not use an endpoint; remove --endpoint.")
    return plan_run(connection, plan, now, batch_size, draft.wanted.terms)


def _good(connection: Connection, name: str) -> EndpointRow:
    """The endpoint, where its last look was good."""
    row = find_endpoint(connection, name)
    health = read_endpoint(connection, row.name).health
    if health is None:
        raise Conflict(f"The endpoint {row.name!r} was never looked at: check it first.")
    if health["state"] != "ok":
        raise Conflict(f"The last look at the endpoint {row.name!r} failed: repair it, and check it again.")
    return row
