"""GET and POST /v1/schedules, POST …/{schedule}/pause, /resume and /run: data sets that follow the map."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from sqlalchemy import Connection

from app.api.access import Maintainer
from app.api.caching import tagged_json
from app.api.changing import Change, Changing, Done
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.jobs.jobs import Job
from app.jobs.kinds import message_of
from app.operations.ask_for_job import ask_for_job
from app.schedules.models import NewSchedule, Schedule, ScheduleList
from app.schedules.schedules import add_schedule, list_schedules, read_schedule, set_paused

router = APIRouter(tags=["schedules"], route_class=StrictRoute)
Name = Annotated[
    str, Path(alias="schedule", pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$", examples=["liechtenstein-daily"])
]
READS = refusals(304, 401, 403, 404, 429, 501)
CHANGES = refusals(400, 401, 403, 404, 409, 429, 501)


@router.get("/schedules", response_model=ScheduleList, responses=refusals(304, 401, 403, 429, 501))
def get_schedules(request: Request, service: ServiceOf, _: Maintainer) -> Response:
    """All schedules: when each is due, how far its round is, what came of the last, and which are stalled."""
    with service.changing() as connection:
        found = list_schedules(connection, service.clock.now())
    return tagged_json(request, ScheduleList(schedules=found), private=True, licensed=False)


@router.get("/schedules/{schedule}", response_model=Schedule, responses=READS)
def get_schedule(request: Request, service: ServiceOf, _: Maintainer, name: Name) -> Response:
    """One schedule."""
    with service.changing() as connection:
        found = read_schedule(connection, name, service.clock.now())
    return tagged_json(request, found, private=True, licensed=False)


@router.post("/schedules", status_code=201, response_model=Schedule, responses=CHANGES)
def post_schedule(change: Change, asked: NewSchedule) -> Response:
    """Have a data set follow a region from now on. It is due at once."""

    def work(connection: Connection, now: datetime) -> Done:
        made = add_schedule(connection, asked, change.caller.id, now)
        told = asked.model_dump(mode="json", exclude_defaults=True)
        return Done(201, made, "schedule.add", made.name, f"/v1/schedules/{made.name}", told)

    return change.make(asked, work)


@router.post("/schedules/{schedule}/pause", response_model=Schedule, responses=CHANGES)
def post_pause(change: Change, name: Name) -> Response:
    """Have workers pass it over."""
    return _set(change, name, True)


@router.post("/schedules/{schedule}/resume", response_model=Schedule, responses=CHANGES)
def post_resume(change: Change, name: Name) -> Response:
    """Have workers look again."""
    return _set(change, name, False)


@router.post("/schedules/{schedule}/run", status_code=202, response_model=Job, responses=CHANGES)
def post_run(change: Change, name: Name) -> Response:
    """Run it now, whatever is due. Needs a worker that has the owner's password; the job waits for one."""

    def work(connection: Connection, now: datetime) -> Done:
        job = ask_for_job(connection, "refresh_schedule", {"schedule": name}, change.caller.id, now)
        wakes = ((message_of("refresh_schedule"),),)
        return Done(202, job, "schedule.run", name, f"/v1/jobs/{job.job}", {}, wakes)

    return change.make(None, work)


def _set(change: Changing, name: str, paused: bool) -> Response:
    def work(connection: Connection, now: datetime) -> Done:
        found, changed = set_paused(connection, name, paused, now)
        action = "schedule.pause" if paused else "schedule.resume"
        return Done(200, found, action, name, changed=changed)

    return change.make(None, work)
