"""GET and POST /v1/report-cards, GET …/{card}: what one model can do on one map, for maintainers."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse
from sqlalchemy import Connection

from app.api.access import Maintainer
from app.api.caching import tagged, tagged_json
from app.api.changing import Change, Done
from app.api.parameters import Cursor, Limit
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.jobs.jobs import Job
from app.jobs.kinds import ReportCard, message_of
from app.operations.ask_for_job import ask_for_job
from app.report_cards.models import CardContent
from app.report_cards.rendering import CONTENT_POLICY, render_card
from app.report_cards.showing import show_card
from app.report_cards.stored import CardPage, StoredCard, list_cards, read_card

router = APIRouter(tags=["report cards"], route_class=StrictRoute)
CardId = Annotated[int, Path(ge=1, le=2**62, examples=[1])]


@router.get("/report-cards", response_model=CardPage, responses=refusals(304, 400, 401, 403, 429, 501))
def get_report_cards(
    request: Request, service: ServiceOf, _: Maintainer, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """Report cards, the newest first: how far each is, its entries and their runs."""
    position = service.cursors.read(request, cursor, (int,))
    with service.changing() as connection:
        found = list_cards(connection, position[0] if position else None, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].card]) if len(found) > limit else None
    page = CardPage(report_cards=shown, next=further)
    return tagged_json(request, page, further, private=True, licensed=False)


@router.get(
    "/report-cards/{card}", response_model=StoredCard, responses=refusals(304, 401, 403, 404, 429, 501)
)
def get_report_card(request: Request, service: ServiceOf, _: Maintainer, card: CardId) -> Response:
    """A report card: its entries, their runs, and why entries were left out."""
    with service.changing() as connection:
        found = read_card(connection, card)
    return tagged_json(request, found, private=True, licensed=False)


@router.get(
    "/report-cards/{card}/card",
    response_model=CardContent,
    responses=refusals(304, 401, 403, 404, 409, 429, 501),
)
def get_content(request: Request, service: ServiceOf, _: Maintainer, card: CardId) -> Response:
    """What a report card says: figures by skill with intervals, comparisons, examples, cost; of public questions alone.

    A run that is not complete gives no score; a 409 before the first run is started.
    """
    return tagged_json(request, _content(service, card), private=True)


@router.get(
    "/report-cards/{card}/page",
    response_class=HTMLResponse,
    responses=refusals(304, 401, 403, 404, 409, 429, 501),
)
def get_page(request: Request, service: ServiceOf, _: Maintainer, card: CardId) -> Response:
    """The same as one HTML file that stands alone, such as `trigpoint report-card` writes."""
    body = render_card(_content(service, card)).encode()
    answer = tagged(request, body, "text/html; charset=utf-8", private=True)
    answer.headers["Content-Security-Policy"] = f"{CONTENT_POLICY}; frame-ancestors 'none'"
    return answer


def _content(service: ServiceOf, card_id: int) -> CardContent:
    with service.changing() as connection:
        stored = read_card(connection, card_id)
    with service.engine.connect() as connection:
        return show_card(connection, stored)


@router.post(
    "/report-cards",
    status_code=202,
    response_model=Job,
    responses=refusals(400, 401, 403, 404, 409, 429, 501),
)
def post_report_card(change: Change, asked: ReportCard) -> Response:
    """Make a report card of a stored endpoint on a published map. The result of the job is the card with its runs.

    The job ends when the runs are started; workers answer them. The same request again goes on with the same card.
    """

    def work(connection: Connection, now: datetime) -> Done:
        told = asked.model_dump(mode="json", exclude_defaults=True)
        job = ask_for_job(connection, "report_card", told, change.caller.id, now)
        address = f"/v1/jobs/{job.job}"
        wakes = ((message_of("report_card"),),)
        return Done(202, job, "report_card.make", asked.endpoint, address, told, wakes=wakes)

    return change.make(asked, work)
