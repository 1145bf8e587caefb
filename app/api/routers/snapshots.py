"""GET /v1/snapshots, one with its rejects, and GET /v1/freshness."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.caching import tagged_json
from app.api.parameters import Cursor, Limit, Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.published.maps import read_freshness, read_snapshots
from app.published.models import Freshness, SnapshotPage
from app.published.rejects import Rejects, read_rejects

router = APIRouter(tags=["snapshots"])


@router.get("/snapshots", response_model=SnapshotPage, responses=refusals(304, 400, 401, 429))
def get_snapshots(
    request: Request, service: ServiceOf, name: Word | None = None, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """The published maps, the latest import first; `name` narrows them to one region's."""
    position = service.cursors.read(request, cursor, (int,))
    with service.engine.connect() as connection:
        found = read_snapshots(connection, name, position[0] if position else None, limit + 1)
    further = service.cursors.make(request, [found[limit - 1][0]]) if len(found) > limit else None
    page = SnapshotPage(snapshots=[one for _, one in found[:limit]], next=further)
    return tagged_json(request, page, further)


@router.get("/freshness", response_model=Freshness, responses=refusals(304, 401, 429))
def get_freshness(request: Request, service: ServiceOf) -> Response:
    """How old the maps are that the data sets' newest versions stand on, and whether newer ones are published."""
    with service.engine.connect() as connection:
        return tagged_json(request, read_freshness(connection, service.clock.now()))


@router.get(
    "/snapshots/{snapshot}/rejects", response_model=Rejects, responses=refusals(304, 400, 401, 404, 429)
)
def get_rejects(
    request: Request,
    service: ServiceOf,
    snapshot: Annotated[
        Word,
        Path(
            description="name@timestamp; a name alone means the newest map of this name",
            examples=["helsinki@2019-04-21T09:50:14Z"],
        ),
    ],
) -> Response:
    """A published map, what its import could not take and why, and where that lies."""
    with service.engine.connect() as connection:
        return tagged_json(request, read_rejects(connection, snapshot))
