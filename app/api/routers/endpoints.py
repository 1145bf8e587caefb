"""GET /v1/endpoints, GET /v1/endpoints/{name}; for maintainers POST /v1/endpoints and …/check."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from sqlalchemy import Connection

from app.api.access import Reader
from app.api.bodies import NewEndpoint
from app.api.caching import tagged_json
from app.api.changing import Change, Done
from app.api.parameters import Cursor, Limit, Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.jobs.jobs import Job
from app.operations.ask_for_job import ask_for_job
from app.predictions.endpoints import add_endpoint
from app.predictions.listing import EndpointCard, EndpointPage, list_cards, read_card, read_whole
from app.predictions.messages import JOB

router = APIRouter(tags=["endpoints"], route_class=StrictRoute)
Name = Annotated[Word, Path(description="what commands call it", examples=["local"])]


@router.get("/endpoints", response_model=EndpointPage, responses=refusals(304, 400, 401, 403, 429))
def get_endpoints(
    request: Request, service: ServiceOf, _: Reader, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """The endpoints that have a name, by name. Keys are nowhere."""
    position = service.cursors.read(request, cursor, (str,))
    with service.engine.connect() as connection:
        found = list_cards(connection, position[0] if position else None, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].name]) if len(found) > limit else None
    page = EndpointPage(endpoints=shown, next=further)
    return tagged_json(request, page, further, private=True, licensed=False)


@router.get("/endpoints/{name}", response_model=EndpointCard, responses=refusals(304, 401, 403, 404, 429))
def get_endpoint(request: Request, service: ServiceOf, caller: Reader, name: Name) -> Response:
    """An endpoint; to maintainers also its URL, the variable that names its key, and the last check's words."""
    if caller.may("maintainer") and service.maintainer is not None:
        with service.changing() as connection:
            card = read_whole(connection, name)
    else:
        with service.engine.connect() as connection:
            card = read_card(connection, name)
    return tagged_json(request, card, private=True, licensed=False)


@router.post(
    "/endpoints",
    status_code=201,
    response_model=EndpointCard,
    responses={**refusals(400, 401, 403, 409, 429, 501), 200: {"model": EndpointCard}},
)
def post_endpoint(change: Change, asked: NewEndpoint) -> Response:
    """Store an endpoint under a name, or change it: the record says what was last sent. It is not called; check it."""

    def work(connection: Connection, now: datetime) -> Done:
        record, added = add_endpoint(connection, asked.wanted(), now)
        card = read_whole(connection, record.name)
        detail = asked.model_dump(mode="json", exclude_defaults=True) | {"added": added}
        status = 201 if added == "new" else 200
        address = f"/v1/endpoints/{record.name}"
        return Done(status, card, "endpoint.add", record.name, address, detail, changed=added != "same")

    return change.make(asked, work)


@router.post(
    "/endpoints/{name}/check",
    status_code=202,
    response_model=Job,
    responses=refusals(400, 401, 403, 404, 409, 429, 501),
)
def post_check(change: Change, name: Name) -> Response:
    """Have a worker look at an endpoint: its models, a tiny answer, its engine, the forms of answers it keeps to.

    The answer names a job, which says what was found once it is done.
    """

    def work(connection: Connection, now: datetime) -> Done:
        job = ask_for_job(connection, "endpoint_check", {"name": name}, change.caller.id, now)
        return Done(202, job, "endpoint.check", name, f"/v1/jobs/{job.job}", wakes=((JOB,),))

    return change.make(None, work)
