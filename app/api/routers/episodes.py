"""GET /v1/runs/{run}/episodes/{question}, /v1/runs/{run}/agent and /v1/datasets/{dataset}/agents."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.api.access import Reader
from app.api.caching import tagged_json
from app.api.parameters import Dataset, QuestionId, RunId
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.core.errors import NotFound
from app.predictions.listing import read_run
from app.published.agents import AgentComparison, AgentFigures, read_figures, read_figures_of_version
from app.published.episode_models import ShownEpisode
from app.published.episodes import for_keys, read_episode
from app.questions.versions import find_version

router = APIRouter(tags=["episodes"])
Repeat = Annotated[int, Query(ge=0, le=1_000_000, description="the number of the repeat, from 0")]
Rotation = Annotated[int, Query(ge=0, le=1_000, description="places by which the options were turned")]


@router.get(
    "/runs/{run}/episodes/{question}",
    response_model=ShownEpisode,
    responses=refusals(304, 401, 403, 404, 429),
)
def get_episode(
    request: Request,
    service: ServiceOf,
    _: Reader,
    run: RunId,
    question: QuestionId,
    repeat: Repeat = 0,
    rotation: Rotation = 0,
) -> Response:
    """All calls on the way to an answer to a public question: thoughts, tool calls, results, tokens, time, cost."""
    with service.engine.connect() as connection:
        found, _others = read_episode(connection, run, question, repeat, rotation)
    return tagged_json(request, for_keys(found), private=True)


@router.get("/runs/{run}/agent", response_model=AgentFigures, responses=refusals(304, 401, 403, 404, 429))
def get_agent(request: Request, service: ServiceOf, _: Reader, run: RunId) -> Response:
    """What the episodes of a scored run with tools took, and what went wrong in them. Of public questions alone."""
    with service.engine.connect() as connection:
        read_run(connection, run, service.clock.now())
        found = read_figures(connection, [run])
    if not found:
        raise NotFound(f"Run {run} has no figures of an agent: it has no tools, or is not scored yet.")
    return tagged_json(request, found[0], private=True, licensed=False)


@router.get(
    "/datasets/{dataset}/agents", response_model=AgentComparison, responses=refusals(304, 400, 401, 404, 429)
)
def get_agents(request: Request, service: ServiceOf, dataset: Dataset) -> Response:
    """The figures of a version's runs with tools side by side, the newest run first."""
    with service.engine.connect() as connection:
        version = find_version(connection, dataset)
        found = read_figures_of_version(connection, version.id)
    return tagged_json(request, AgentComparison(dataset=version.reference, runs=found))
