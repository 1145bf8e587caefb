"""The pages of runs: the list, and one with where it stands; without scripts it is loaded again by itself."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.api.paging import next_address
from app.api.parameters import Cursor, RunId
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.dashboard.shown import CALLS, RUN, RUN_LISTED, shown
from app.leaderboard.states import read_states
from app.predictions.listing import RunDetail, Status, list_runs, read_run
from app.published.running import by_kind, read_calls
from app.questions.versions import find_version

router = APIRouter(include_in_schema=False)
ROWS = 50
UNDER_WAY = ("queued", "running")


@router.get("/runs", response_class=HTMLResponse)
def show_runs(
    request: Request,
    service: ServiceOf,
    dataset: Annotated[str, Query(max_length=200)] = "",
    status: Status | Literal[""] = "",
    cursor: Cursor = None,
) -> HTMLResponse:
    """Runs, the newest first."""
    position = service.cursors.read(request, cursor, (int,))
    before = position[0] if position else None
    with reading(service) as connection:
        version = find_version(connection, dataset).id if dataset.isprintable() and dataset else None
        found = list_runs(connection, version, status or None, None, before, ROWS + 1)
    listed = found[:ROWS]
    further = service.cursors.make(request, [listed[-1].run]) if len(found) > ROWS else None
    return page(
        "runs.html",
        runs=[shown(one, RUN_LISTED) for one in listed],
        dataset=dataset,
        status=status,
        is_first=cursor is None,
        further=None if further is None else next_address(request, further),
    )


@router.get("/runs/{run}", response_class=HTMLResponse)
def show_run(service: ServiceOf, run: RunId) -> HTMLResponse:
    """A run: how far it is, what it took, what failed and why."""
    with reading(service) as connection:
        found = read_run(connection, run, service.clock.now())
        calls = read_calls(connection, run)
        told = calls.model_copy(update={"errors": by_kind(calls.errors)})
        outcomes = read_states(connection, run)
    return page(
        "run.html",
        run=shown(found, RUN),
        calls=shown(told, CALLS),
        outcomes=outcomes,
        uncounted=0 if outcomes is None else found.total - sum(outcomes.model_dump().values()),
        lives=_lives(found),
        untold=found.progress.errors - sum(one.answers for one in calls.errors),
    )


def _lives(run: RunDetail) -> bool:
    """Whether more is to come: answers, or the scores of a run that has them all."""
    return run.status in UNDER_WAY or (run.status == "complete" and not run.scored)
