"""GET /v1/datasets, GET /v1/datasets/{dataset}, its map, its tiles, and two runs beside one another."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.caching import tagged, tagged_json
from app.api.parameters import Cursor, Dataset, Limit, Rules, RunId
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.leaderboard.board import list_datasets
from app.leaderboard.models import DatasetList
from app.published.churn import Churn, read_churn
from app.published.datasets import describe_version
from app.published.duels import Duel, read_duel
from app.published.grounds import DEEPEST, Grounds, read_grounds, read_tile
from app.published.models import Version
from app.questions.rechecking.report import RecheckReport, read_recheck
from app.questions.versions import find_version

router = APIRouter(tags=["datasets"])
TILE = "application/vnd.mapbox-vector-tile"
Level = Annotated[int, Path(ge=0, le=DEEPEST, examples=[8])]
Column = Annotated[int, Path(ge=0, lt=2**DEEPEST, examples=[145])]


@router.get("/datasets", response_model=DatasetList, responses=refusals(304, 400, 401, 429))
def get_datasets(request: Request, service: ServiceOf, limit: Limit = 100, cursor: Cursor = None) -> Response:
    """The data sets with a published version, by name, and their versions, the newest first."""
    position = service.cursors.read(request, cursor, (str,))
    with service.engine.connect() as connection:
        found = list_datasets(connection, position[0] if position else None, limit + 1)
    shown = found.datasets[:limit]
    further = service.cursors.make(request, [shown[-1].name]) if len(found.datasets) > limit else None
    return tagged_json(request, found.model_copy(update={"datasets": shown, "next": further}), further)


@router.get("/datasets/{dataset}", response_model=Version, responses=refusals(304, 400, 401, 404, 429))
def get_dataset(request: Request, service: ServiceOf, dataset: Dataset) -> Response:
    """A published version: its maps, recipe, templates with what was refused and why, licence and canary."""
    with service.engine.connect() as connection:
        return tagged_json(request, describe_version(connection, find_version(connection, dataset)))


@router.get("/datasets/{dataset}/map", response_model=Grounds, responses=refusals(304, 400, 401, 404, 429))
def get_map(request: Request, service: ServiceOf, dataset: Dataset) -> Response:
    """Where public questions and their answers lie, counted in a grid for each map."""
    with service.engine.connect() as connection:
        version = find_version(connection, dataset)
        found = read_grounds(connection, version.id, version.reference, service.kept)
    return tagged_json(request, found)


@router.get("/datasets/{dataset}/churn", response_model=Churn, responses=refusals(304, 400, 401, 404, 429))
def get_churn(request: Request, service: ServiceOf, dataset: Dataset) -> Response:
    """What became of questions at each refresh, by template, and how fast gold goes out of date."""
    with service.engine.connect() as connection:
        found = read_churn(connection, dataset)
    return tagged_json(request, found)


@router.get(
    "/datasets/{dataset}/recheck", response_model=RecheckReport, responses=refusals(304, 400, 401, 404, 429)
)
def get_recheck(request: Request, service: ServiceOf, dataset: Dataset) -> Response:
    """What became of the keys of a data set that others published, computed again from each question alone."""
    with service.engine.connect() as connection:
        found = read_recheck(connection, dataset)
    return tagged_json(request, found, licensed=False)


@router.get(
    "/datasets/{dataset}/tiles/{z}/{x}/{y}.mvt",
    response_class=Response,
    responses={
        **refusals(304, 400, 401, 404, 429),
        200: {"content": {TILE: {"schema": {"type": "string", "format": "binary"}}}},
    },
)
def get_tile(
    request: Request, service: ServiceOf, dataset: Dataset, z: Level, x: Column, y: Column
) -> Response:
    """A vector tile: layers `questions` and `answers`; a point says how many it stands for, and one question's id."""
    with service.engine.connect() as connection:
        body = read_tile(connection, find_version(connection, dataset).id, z, x, y, service.kept)
    return tagged(request, body, TILE)


@router.get(
    "/datasets/{dataset}/comparisons/{run}/{other}",
    response_model=Duel,
    responses=refusals(304, 400, 401, 404, 429),
)
def get_duel(
    request: Request,
    service: ServiceOf,
    dataset: Dataset,
    run: RunId,
    other: RunId,
    profile: Rules = "trigpoint",
) -> Response:
    """Two runs: their difference over all, by template and group, and the public questions on which they differ."""
    with service.engine.connect() as connection:
        found = read_duel(connection, find_version(connection, dataset), run, other, profile)
    return tagged_json(request, found)
