"""GET /v1/jobs and GET /v1/jobs/{job}: work that was accepted with a 202."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.access import Maintainer
from app.api.caching import tagged_json
from app.api.parameters import Cursor, Limit
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.predictions.jobs import Job, JobPage, list_jobs, read_job

router = APIRouter(tags=["jobs"])


@router.get("/jobs", response_model=JobPage, responses=refusals(304, 400, 401, 403, 429, 501))
def get_jobs(
    request: Request, service: ServiceOf, _: Maintainer, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """Jobs, the newest first."""
    position = service.cursors.read(request, cursor, (int,))
    with service.changing() as connection:
        found = list_jobs(connection, position[0] if position else None, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].job]) if len(found) > limit else None
    page = JobPage(jobs=shown, next=further)
    return tagged_json(request, page, further, private=True, licensed=False)


@router.get("/jobs/{job}", response_model=Job, responses=refusals(304, 401, 403, 404, 429, 501))
def get_job(
    request: Request,
    service: ServiceOf,
    _: Maintainer,
    job: Annotated[int, Path(ge=1, le=2**62, examples=[3])],
) -> Response:
    """A job: whether it waits, runs, is done or failed, and what came of it."""
    with service.changing() as connection:
        found = read_job(connection, job)
    return tagged_json(request, found, private=True, licensed=False)
