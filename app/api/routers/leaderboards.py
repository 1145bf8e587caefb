"""GET /v1/leaderboards/…: boards and their history; GET …/comparisons: runs compared pair by pair."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from app.api.access import Reader
from app.api.caching import encoded, tagged, tagged_json
from app.api.parameters import Dataset, Rules, Word, run_numbers
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.leaderboard.board import Kind, read_board
from app.leaderboard.history import read_benchmark_board, read_history
from app.leaderboard.models import BenchmarkBoard, Board, Comparisons, History
from app.leaderboard.pairwise import MOST_RUNS, compare_board, compare_runs
from app.questions.gold import DEFAULT_KEY

router = APIRouter(tags=["leaderboards"])
Scope = Annotated[Word, Query(description="all, or KIND:NAME, such as template:T5 or city:helsinki")]


@router.get("/leaderboards/{dataset}", response_model=Board, responses=refusals(304, 400, 401, 404, 429))
def get_leaderboard(
    request: Request,
    service: ServiceOf,
    dataset: Dataset,
    by: Annotated[
        Kind | None,
        Query(
            description="also the boards of dimensions, strategies, cities, answer types or rechecked keys"
        ),
    ] = None,
    profile: Rules = "trigpoint",
    gold_key: Annotated[
        Word, Query(description="the key of the gold that runs were scored by")
    ] = DEFAULT_KEY,
) -> Response:
    """The leaderboard of a data set version: ranks, scores, intervals, cost, and what became of every answer."""
    with service.engine.connect() as connection:
        board = read_board(connection, dataset, by, profile, service.kept, gold_key)
    key = ("body", board.dataset, board.version, by, board.profile)
    return tagged(request, service.kept.get(key, board, partial(encoded, board)), "application/json")


@router.get(
    "/leaderboards/{dataset}/history", response_model=History, responses=refusals(304, 400, 401, 404, 429)
)
def get_history(
    request: Request,
    service: ServiceOf,
    dataset: Annotated[Word, Path(description="a data set, all of its versions", examples=["demo_gsqa"])],
    versions: Annotated[int, Query(ge=1, le=100, description="the number of rows, the newest first")] = 20,
    profile: Rules = "trigpoint",
) -> Response:
    """Each model's score and rank on the versions of a data set, the newest first. Versions differ in questions."""
    with service.engine.connect() as connection:
        return tagged_json(request, read_history(connection, dataset, versions, profile))


@router.get(
    "/benchmarks/{benchmark}/leaderboard",
    response_model=BenchmarkBoard,
    responses=refusals(304, 400, 401, 404, 429),
)
def get_benchmark_board(
    request: Request,
    service: ServiceOf,
    benchmark: Annotated[Word, Path(examples=["urban_knowledge"])],
    limit: Annotated[int, Query(ge=1, le=200, description="data sets")] = 50,
    profile: Rules = "trigpoint",
) -> Response:
    """Each model's score and rank on the newest version of each data set of a benchmark."""
    with service.engine.connect() as connection:
        return tagged_json(request, read_benchmark_board(connection, benchmark, limit, profile))


@router.get(
    "/datasets/{dataset}/comparisons",
    response_model=Comparisons,
    responses=refusals(304, 400, 401, 404, 409, 429),
)
def get_comparisons_of_board(
    request: Request,
    service: ServiceOf,
    dataset: Dataset,
    scope: Scope = "all",
    limit: Annotated[int, Query(ge=2, le=MOST_RUNS, description="the number of runs, from the top")] = 30,
    profile: Rules = "trigpoint",
) -> Response:
    """All pairs of a board's ranked runs: difference, interval, p, p adjusted by Holm, what could have been found."""
    with service.engine.connect() as connection:
        found = compare_board(connection, dataset, scope, limit, service.kept, profile)
    return tagged_json(request, found)


@router.get("/comparisons", response_model=Comparisons, responses=refusals(304, 400, 401, 403, 404, 409, 429))
def get_comparisons(
    request: Request,
    service: ServiceOf,
    _: Reader,
    runs: Annotated[
        str, Query(max_length=2000, description="two or more numbers, separated by commas", examples=["7,9"])
    ],
    dataset: Annotated[
        Word | None, Query(description="the data set version that the runs must belong to")
    ] = None,
    scope: Scope = "all",
    profile: Rules = "trigpoint",
) -> Response:
    """Some complete runs of one data set version, pair by pair, whether boards show them or newer ones."""
    wanted = run_numbers(runs)
    with service.engine.connect() as connection:
        found = compare_runs(connection, wanted, scope, dataset, profile)
    return tagged_json(request, found, private=True)
