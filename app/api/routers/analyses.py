"""GET /v1/robustness, /v1/contamination, …/canaries, …/dials: what lies behind scores, of public questions alone."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from app.api.access import Reader
from app.api.caching import tagged_json
from app.api.parameters import Dataset, Rules, RunId, run_numbers
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.leaderboard.board import read_board
from app.leaderboard.contamination import (
    CanariesOfRun,
    Contamination,
    canaries_of_run,
    measure_contamination,
)
from app.leaderboard.dials import Dial, DialName, read_dial
from app.leaderboard.robustness import compare_forms
from app.leaderboard.robustness_models import Robustness

router = APIRouter(tags=["leaderboards"])
OwnProfile = Literal["trigpoint", "judge_hybrid", "judge_pure"]
RunNumber = Annotated[int, Query(ge=1, le=2**62, description="the run's number", examples=[7])]


@router.get("/robustness", response_model=Robustness, responses=refusals(304, 400, 401, 403, 404, 409, 429))
def get_robustness(
    request: Request,
    service: ServiceOf,
    _: Reader,
    runs: Annotated[
        str,
        Query(
            max_length=400,
            description="numbers, separated by commas: the first run, and those on other forms of the same questions",
            examples=["7,9"],
        ),
    ],
) -> Response:
    """Runs of one setup on the same questions in other words, units, coordinates, or orders of options."""
    wanted = run_numbers(runs)
    with service.engine.connect() as connection:
        found = compare_forms(connection, wanted)
    return tagged_json(request, found, private=True)


@router.get(
    "/contamination", response_model=Contamination, responses=refusals(304, 400, 401, 403, 404, 409, 429)
)
def get_contamination(
    request: Request,
    service: ServiceOf,
    _: Reader,
    run: RunNumber,
    fresh_run: Annotated[
        int,
        Query(ge=1, le=2**62, description="a run on fresh twins or on a permuted map", examples=[9]),
    ],
    profile: Rules = "trigpoint",
) -> Response:
    """How much more was right on questions that may have been seen than on fresh ones, with an interval."""
    with service.engine.connect() as connection:
        found = measure_contamination(connection, run, fresh_run, profile)
    return tagged_json(request, found, private=True)


@router.get("/runs/{run}/canaries", response_model=CanariesOfRun, responses=refusals(304, 401, 403, 404, 429))
def get_canaries(request: Request, service: ServiceOf, _: Reader, run: RunId) -> Response:
    """Canaries of data sets in completions of public questions: a model that writes one has seen the files."""
    with service.engine.connect() as connection:
        found = canaries_of_run(connection, run)
    return tagged_json(request, found, private=True, licensed=False)


@router.get(
    "/leaderboards/{dataset}/dials/{dial}", response_model=Dial, responses=refusals(304, 400, 401, 404, 429)
)
def get_dial(
    request: Request,
    service: ServiceOf,
    dataset: Dataset,
    dial: Annotated[DialName, Path(description="what makes questions hard", examples=["options"])],
    profile: Annotated[
        OwnProfile, Query(description="Trigpoint's own rules, or those of a judge")
    ] = "trigpoint",
) -> Response:
    """The scores of each run of a board, by what makes questions hard; a 404 where questions do not differ in it."""
    with service.engine.connect() as connection:
        found = read_dial(connection, read_board(connection, dataset, None, profile, service.kept), dial)
    return tagged_json(request, found)
