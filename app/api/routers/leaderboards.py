"""GET /v1/leaderboards/{dataset}."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.caching import tagged_json
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.leaderboard.board import read_board
from app.leaderboard.models import Board

router = APIRouter(tags=["leaderboards"])


@router.get("/leaderboards/{dataset}", response_model=Board, responses=refusals(304, 400, 401, 404, 429))
def get_leaderboard(
    request: Request,
    service: ServiceOf,
    dataset: Annotated[
        str, Path(description="name (its newest version) or name@version", examples=["demo_gsqa@1"])
    ],
) -> Response:
    """The leaderboard of a data set version: ranks, scores, intervals, and what became of every answer."""
    with service.engine.connect() as connection:
        return tagged_json(request, read_board(connection, dataset))
