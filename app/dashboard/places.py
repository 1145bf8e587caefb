"""The pages of maps: those that are published with their ages, and one with its layers and rejects."""

from collections.abc import Sequence

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.api.paging import next_address
from app.api.parameters import Cursor, Word
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.published.map_drawing import Canvas, canvas_around
from app.published.maps import read_freshness, read_snapshots
from app.published.rejects import read_rejects

router = APIRouter(include_in_schema=False)
ROWS = 50


@router.get("/snapshots", response_class=HTMLResponse)
def show_snapshots(request: Request, service: ServiceOf, cursor: Cursor = None) -> HTMLResponse:
    """The published maps, and how old those are that data sets stand on."""
    position = service.cursors.read(request, cursor, (int,))
    now = service.clock.now()
    with reading(service) as connection:
        found = read_snapshots(connection, None, position[0] if position else None, ROWS + 1)
        fresh = read_freshness(connection, now)
    further = service.cursors.make(request, [found[ROWS - 1][0]]) if len(found) > ROWS else None
    return page(
        "snapshots.html",
        snapshots=[one for _, one in found[:ROWS]],
        fresh=fresh.datasets,
        now=now,
        further=None if further is None else next_address(request, further),
    )


@router.get("/snapshots/{snapshot}", response_class=HTMLResponse)
def show_snapshot(service: ServiceOf, snapshot: Word) -> HTMLResponse:
    """A published map: what its layers hold, and what could not be taken."""
    with reading(service) as connection:
        found = read_rejects(connection, snapshot)
    placed = [(one, one.lon, one.lat) for one in found.rejects if one.lon is not None and one.lat is not None]
    canvas = _canvas(found.snapshot.box, [(lon, lat) for _, lon, lat in placed])
    return page(
        "snapshot.html",
        snapshot=found.snapshot,
        found=found,
        now=service.clock.now(),
        canvas=canvas,
        outline=canvas.path(found.outline) if canvas and found.outline else "",
        spots=[(one, *canvas.place(lon, lat)) for one, lon, lat in placed] if canvas else [],
        unplaced=len(found.rejects) - len(placed),
    )


def _canvas(box: Sequence[float] | None, places: Sequence[tuple[float, float]]) -> Canvas | None:
    """Around the map and all rejects: these may lie beyond its end."""
    corners = [*places, *([(box[0], box[1]), (box[2], box[3])] if box else [])]
    if not corners:
        return None
    lons, lats = zip(*corners, strict=True)
    return canvas_around(min(lons), min(lats), max(lons), max(lats))
