"""Submissions: answers computed elsewhere, checked in the request; where they stand; withdrawing and deleting them."""

from collections.abc import AsyncIterator
from typing import Annotated, BinaryIO

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel

from app.access.keys import Caller
from app.api.access import Submitter, actor, only_own
from app.api.caching import tagged_json
from app.api.parameters import Cursor, Dataset, Limit, Word
from app.api.schemas import refusals
from app.api.service import Service, ServiceOf
from app.api.strict_body import StrictRoute
from app.core.identity import canonical_json
from app.operations.submit import SubmissionRequest, accept_submission
from app.predictions.listing import FIRST
from app.predictions.messages import SUBMISSION
from app.predictions.submissions import storing
from app.predictions.submissions.importing import Source
from app.predictions.submissions.storing import Submission

router = APIRouter(tags=["submissions"], route_class=StrictRoute)
Number = Annotated[int, Path(ge=1, le=2**62, examples=[3])]
MINE = refusals(401, 403, 404, 429)
ANSWERS = {
    "requestBody": {
        "required": True,
        "description": 'An answer a line, or one array of them; before them there may stand `{"card": {…}}`. '
        "UTF-8, 200 MB at most, packed with gzip or not.",
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"},
                "examples": {
                    "answers": {
                        "value": '{"card": {"name": "my model", "contact": "me@example.org"}}\n'
                        '{"id": "4f0c…", "answer": "B"}\n{"id": "51d9…", "answer": null}\n'
                    }
                },
            }
        },
    }
}


class SubmissionPage(BaseModel):
    """Submissions, the newest first."""

    submissions: list[Submission]
    next: str | None


async def body_in_file(request: Request, service: ServiceOf, caller: Submitter) -> AsyncIterator[BinaryIO]:
    """The body, which is kept until the request is answered; a key sends one at a time."""
    with service.uploads.begin(caller.first_id) as upload:
        async for chunk in request.stream():
            upload.write(chunk)
        yield upload.file


@router.post(
    "/datasets/{dataset}/submissions",
    status_code=202,
    response_model=Submission,
    responses=refusals(400, 401, 403, 404, 408, 409, 413, 422, 429, 503),
    openapi_extra=ANSWERS,
)
def post_submission(
    service: ServiceOf,
    caller: Submitter,
    dataset: Dataset,
    body: Annotated[BinaryIO, Depends(body_in_file)],
    name: Annotated[
        Word | None, Query(description="the name on boards; by default the name on the card")
    ] = None,
    form: Annotated[
        Source,
        Query(
            alias="format", description="answers, or a log: samples of lm-evaluation-harness, or Inspect's"
        ),
    ] = "answers",
) -> Response:
    """Submit answers to all questions of a version. What is not complete is refused, and nothing of it is stored.

    The same again is the same submission. Its address says where it stands.
    """
    request = SubmissionRequest(dataset, body, {"name": name}, form)
    found, is_new = accept_submission(service.engine, request, caller.first_id, service.clock)
    if is_new:
        service.wake(SUBMISSION)
    return _told(found, 202)


@router.get("/submissions", response_model=SubmissionPage, responses=refusals(304, 400, 401, 403, 429))
def get_submissions(
    request: Request, service: ServiceOf, caller: Submitter, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """Your key's submissions, the newest first; to maintainers, all."""
    position = service.cursors.read(request, cursor, (int,))
    before = position[0] if position else FIRST
    with service.engine.connect() as connection:
        now = service.clock.now()
        found = storing.list_submissions(connection, only_own(caller), before, limit + 1, now)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].submission]) if len(found) > limit else None
    page = SubmissionPage(submissions=shown, next=further)
    return tagged_json(request, page, further, private=True, licensed=False)


@router.get("/submissions/{submission}", response_model=Submission, responses=MINE)
def get_submission(service: ServiceOf, caller: Submitter, submission: Number) -> Response:
    """A submission: its state, how many come before it, its age, what happens next, what happened so far."""
    with service.engine.connect() as connection:
        found = storing.read_submission(connection, submission, only_own(caller), service.clock.now())
    return _told(found)


@router.post("/submissions/{submission}/withdraw", response_model=Submission, responses=MINE)
def post_withdraw(request: Request, service: ServiceOf, caller: Submitter, submission: Number) -> Response:
    """Take it off the boards for good; its answers are kept."""
    return _end(request, service, caller, submission, forget=False)


@router.delete("/submissions/{submission}", response_model=Submission, responses=MINE)
def delete_submission(
    request: Request, service: ServiceOf, caller: Submitter, submission: Number
) -> Response:
    """Delete its card, its contact, its answers and their scores."""
    return _end(request, service, caller, submission, forget=True)


def _end(request: Request, service: Service, caller: Caller, submission: int, *, forget: bool) -> Response:
    now = service.clock.now()
    if caller.may("maintainer"):
        with service.changing() as connection:
            found = storing.end_on_record(connection, submission, actor(request, caller), now, forget=forget)
            connection.commit()
        return _told(found)
    with service.engine.connect() as connection:
        storing.begin_writing(connection)
        storing.end_submission(connection, submission, only_own(caller), now, forget=forget)
        found = storing.read_submission(connection, submission, only_own(caller), now)
        connection.commit()
    return _told(found)


def _told(found: Submission, status: int = 200) -> Response:
    headers = {"Cache-Control": "no-store", "Location": f"/v1/submissions/{found.submission}"}
    return Response(canonical_json(found.model_dump(mode="json")), status, headers, "application/json")
