"""GET /v1/jobs, GET /v1/jobs/{job}, POST …/cancel; and what is accepted with a 202 that names a job.

Maintainers ask for imports, generation, re-scores and refreshes.
"""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from sqlalchemy import Connection

from app.api.access import Maintainer
from app.api.caching import tagged_json
from app.api.changing import Change, Changing, Done
from app.api.parameters import Cursor, Dataset, Limit, RunId
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.jobs.jobs import Job, JobPage, cancel_job, list_jobs, read_job
from app.jobs.kinds import Generate, Import, Kind, Refresh, RefreshOf, Rescore, message_of
from app.operations.ask_for_job import ask_for_job

router = APIRouter(tags=["jobs"], route_class=StrictRoute)
JobId = Annotated[int, Path(ge=1, le=2**62, examples=[3])]
ACCEPTS = refusals(400, 401, 403, 404, 409, 429, 501)


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
    job: JobId,
) -> Response:
    """A job: whether it waits, runs, is done or failed, and what came of it."""
    with service.changing() as connection:
        found = read_job(connection, job)
    return tagged_json(request, found, private=True, licensed=False)


@router.post("/jobs/{job}/cancel", status_code=202, response_model=Job, responses=ACCEPTS)
def post_cancel(change: Change, job: JobId) -> Response:
    """End a job: one that waits at once, one that runs within seconds, and nothing of it is left."""

    def work(connection: Connection, now: datetime) -> Done:
        cancelled, changed = cancel_job(connection, job, now)
        return Done(202, cancelled, "job.cancel", f"job {job}", f"/v1/jobs/{job}", changed=changed)

    return change.make(None, work)


@router.post("/snapshots", status_code=202, response_model=Job, responses=ACCEPTS)
def post_snapshot(change: Change, asked: Import) -> Response:
    """Import a map. Needs a worker that has the owner's password; the job waits for one."""
    return _accept(change, "import", asked, "snapshot.import", asked.region or str(asked.file))


@router.post("/datasets", status_code=202, response_model=Job, responses=ACCEPTS)
def post_dataset(change: Change, asked: Generate) -> Response:
    """Make and publish a data set, or the next version of one; the same recipe again makes none."""
    return _accept(change, "generate", asked, "dataset.generate", asked.name)


@router.post("/runs/{run}/rescore", status_code=202, response_model=Job, responses=ACCEPTS)
def post_rescore(change: Change, run: RunId) -> Response:
    """Score a finished run again from its stored answers."""
    return _accept(change, "rescore", Rescore(run=run), "run.rescore", f"run {run}")


@router.post("/datasets/{dataset}/refresh", status_code=202, response_model=Job, responses=ACCEPTS)
def post_refresh(change: Change, dataset: Dataset, asked: Refresh) -> Response:
    """Take a data set over to a newer map: a new version, with what became of each question."""
    whole = RefreshOf(dataset=dataset, **asked.model_dump())
    return _accept(change, "refresh", whole, "dataset.refresh", dataset)


def _accept(
    change: Changing,
    kind: Kind,
    asked: Generate | Import | Rescore | RefreshOf,
    action: str,
    subject: str,
) -> Response:
    """Store the job, and wake a worker that can do it."""

    def work(connection: Connection, now: datetime) -> Done:
        told = asked.model_dump(mode="json", exclude_defaults=True)
        job = ask_for_job(connection, kind, told, change.caller.id, now)
        address = f"/v1/jobs/{job.job}"
        return Done(202, job, action, subject, address, told, wakes=((message_of(kind),),))

    return change.make(asked, work)
