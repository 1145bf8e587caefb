"""GET /v1/runs, GET /v1/runs/{run}, its answers, and how its calls went."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.api.access import Reader
from app.api.caching import tagged_json
from app.api.parameters import Cursor, Limit, RunId, Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.predictions.listing import RunDetail, RunPage, Status, list_runs, read_run
from app.published.answers import (
    Outcome,
    Place,
    RunAnswerPage,
    State,
    WantedAnswers,
    read_answer_page,
)
from app.published.running import RunCalls, read_calls
from app.questions.versions import find_version

router = APIRouter(tags=["runs"])


@router.get("/runs", response_model=RunPage, responses=refusals(304, 400, 401, 403, 404, 429))
def get_runs(
    request: Request,
    service: ServiceOf,
    _: Reader,
    dataset: Annotated[Word | None, Query(description="name (its newest version) or name@version")] = None,
    status: Status | None = None,
    solver: Word | None = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """Runs, the newest first. Where one stands, its own page says."""
    position = service.cursors.read(request, cursor, (int,))
    with service.engine.connect() as connection:
        version = None if dataset is None else find_version(connection, dataset).id
        before = position[0] if position else None
        found = list_runs(connection, version, status, solver, before, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].run]) if len(found) > limit else None
    return tagged_json(request, RunPage(runs=shown, next=further), further, private=True, licensed=False)


@router.get("/runs/{run}", response_model=RunDetail, responses=refusals(304, 401, 403, 404, 429))
def get_run(request: Request, service: ServiceOf, _: Reader, run: RunId) -> Response:
    """A run and where it stands: done, waiting, retrying, errors, tokens, cost, time left."""
    with service.engine.connect() as connection:
        found = read_run(connection, run, service.clock.now())
    return tagged_json(request, found, private=True, licensed=False)


@router.get("/runs/{run}/calls", response_model=RunCalls, responses=refusals(304, 401, 403, 404, 429))
def get_calls(request: Request, service: ServiceOf, _: Reader, run: RunId) -> Response:
    """How a run's calls went: their times, and the reasons of errors on public questions."""
    with service.engine.connect() as connection:
        read_run(connection, run, service.clock.now())
        found = read_calls(connection, run)
    return tagged_json(request, found, private=True, licensed=False)


@router.get(
    "/runs/{run}/answers", response_model=RunAnswerPage, responses=refusals(304, 400, 401, 403, 404, 429)
)
def get_answers(
    request: Request,
    service: ServiceOf,
    _: Reader,
    run: RunId,
    template: Word | None = None,
    question: Annotated[Word | None, Query(description="the question's id")] = None,
    state: State | None = None,
    outcome: Outcome | None = None,
    limit: Annotated[int, Query(ge=1, le=200, description="the number of rows on a page")] = 100,
    cursor: Cursor = None,
) -> Response:
    """What a run answered to public questions: prompt as sent, answer word for word, gold, score, tokens, time."""
    position = service.cursors.read(request, cursor, (int, int, int))
    wanted = WantedAnswers(template, question, state, outcome)
    with service.engine.connect() as connection:
        read_run(connection, run, service.clock.now())
        after = Place(*position) if position else None
        found = read_answer_page(connection, run, wanted, after, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, list(shown[-1][0])) if len(found) > limit else None
    answers = RunAnswerPage(answers=[one for _, one in shown], next=further)
    return tagged_json(request, answers, further, private=True)
