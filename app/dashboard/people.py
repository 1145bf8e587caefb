"""The pages of what people send in: submissions and disputes. States and ages; no contact, no words of either."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.api.paging import next_address
from app.api.parameters import Cursor
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.dashboard.shown import DISPUTE, SUBMISSION, shown
from app.disputes.opening import list_disputes
from app.predictions.listing import FIRST
from app.predictions.submissions.storing import list_submissions

router = APIRouter(include_in_schema=False)
ROWS = 50


@router.get("/submissions", response_class=HTMLResponse)
def show_submissions(request: Request, service: ServiceOf, cursor: Cursor = None) -> HTMLResponse:
    """Answers computed elsewhere, the newest first."""
    position = service.cursors.read(request, cursor, (int,))
    now = service.clock.now()
    with reading(service) as connection:
        found = list_submissions(connection, None, position[0] if position else FIRST, ROWS + 1, now)
    listed = found[:ROWS]
    further = service.cursors.make(request, [listed[-1].submission]) if len(found) > ROWS else None
    return page(
        "submissions.html",
        submissions=[shown(one, SUBMISSION) for one in listed],
        further=None if further is None else next_address(request, further),
    )


@router.get("/disputes", response_class=HTMLResponse)
def show_disputes(request: Request, service: ServiceOf, cursor: Cursor = None) -> HTMLResponse:
    """Questions that somebody doubts, the newest doubt first."""
    position = service.cursors.read(request, cursor, (int,))
    with reading(service) as connection:
        found = list_disputes(connection, None, None, None, position[0] if position else FIRST, ROWS + 1)
    listed = found[:ROWS]
    further = service.cursors.make(request, [listed[-1].dispute]) if len(found) > ROWS else None
    return page(
        "disputes.html",
        disputes=[shown(one, DISPUTE) for one in listed],
        now=service.clock.now(),
        further=None if further is None else next_address(request, further),
    )
