"""GET /v1/runs/{run}/reasoning and /v1/datasets/{dataset}/reasoning."""

from fastapi import APIRouter, Request, Response

from app.api.access import Reader
from app.api.caching import tagged_json
from app.api.parameters import Dataset, RunId
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.core.errors import NotFound
from app.predictions.listing import read_run
from app.published.reasoning import (
    CheckedReasoning,
    ReasoningComparison,
    read_reasoning,
    read_reasoning_of_version,
)
from app.questions.versions import find_version

router = APIRouter(tags=["runs"])


@router.get(
    "/runs/{run}/reasoning", response_model=CheckedReasoning, responses=refusals(304, 401, 403, 404, 429)
)
def get_reasoning(request: Request, service: ServiceOf, _: Reader, run: RunId) -> Response:
    """Which steps of the reasoning in a scored run's answers broke, and what judges say. Of public questions alone."""
    with service.engine.connect() as connection:
        read_run(connection, run, service.clock.now())
        found = read_reasoning(connection, [run])
    if not found:
        raise NotFound(
            f"Run {run} has no figures of its reasoning: its benchmark has no check of it, the run is not scored yet,"
            " or workers are checking it. `trigpoint run rescore RUN` checks it at once."
        )
    return tagged_json(request, found[0], private=True, licensed=False)


@router.get(
    "/datasets/{dataset}/reasoning",
    response_model=ReasoningComparison,
    responses=refusals(304, 400, 401, 404, 429),
)
def get_reasoning_of_dataset(request: Request, service: ServiceOf, dataset: Dataset) -> Response:
    """The figures of a version's runs whose reasoning was checked side by side, the newest run first."""
    with service.engine.connect() as connection:
        version = find_version(connection, dataset)
        found = read_reasoning_of_version(connection, version.id)
    return tagged_json(request, ReasoningComparison(dataset=version.reference, runs=found))
