"""GET /v1/leaderboards/{dataset} and GET /v1/datasets."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.caching import tagged_json
from app.api.schemas import Problem
from app.leaderboard.board import list_datasets, read_board
from app.leaderboard.models import Board, DatasetList

router = APIRouter(tags=["leaderboards"])


@router.get("/datasets", response_model=DatasetList)
def get_datasets(request: Request) -> Response:
    """Every data set with a published version."""
    with request.app.state.engine.connect() as connection:
        return tagged_json(request, list_datasets(connection))


@router.get(
    "/leaderboards/{dataset}",
    response_model=Board,
    responses={304: {"description": "unchanged"}, 404: {"model": Problem}, 503: {"model": Problem}},
)
def get_leaderboard(
    request: Request,
    dataset: Annotated[
        str, Path(description="name (its newest version) or name@version", examples=["demo_gsqa@1"])
    ],
) -> Response:
    """The leaderboard of a data set version: ranks, scores, intervals, and what became of every answer."""
    with request.app.state.engine.connect() as connection:
        return tagged_json(request, read_board(connection, dataset))
