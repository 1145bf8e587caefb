"""POST /v1/runs, and what a run is told: pause, resume, cancel, retry."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from app.api.bodies import NewRun, Resumption
from app.api.changing import Change, Changing, Done
from app.api.parameters import RunId
from app.api.schemas import refusals
from app.api.strict_body import StrictRoute
from app.operations.evaluate import start_run
from app.predictions import control
from app.predictions.listing import RunDetail, read_run
from app.predictions.messages import SCORE, WORK

router = APIRouter(tags=["runs"], route_class=StrictRoute)
CHANGES = refusals(400, 401, 403, 404, 409, 429, 501)


class Accepted(BaseModel):
    """A run that was asked for; its address says where it stands."""

    was: Literal["new", "open", "paused", "finished", "errors"] = Field(
        description="whether the run is new, running, paused or complete, or asks its errors again"
    )
    address: str = Field(examples=["/v1/runs/7"])
    run: RunDetail


def address_of(run: int) -> str:
    """Where a run is read."""
    return f"/v1/runs/{run}"


@router.post("/runs", status_code=202, response_model=Accepted, responses=CHANGES)
def post_run(change: Change, asked: NewRun) -> Response:
    """Start a run, or go on with the one that this very request made before. Workers ask; nothing is asked here.

    Its endpoint must be stored, and its last check good.
    """

    def work(connection: Connection, now: datetime) -> Done:
        planned = start_run(connection, asked.request(), change.service.settings.batch_size, now)
        address = address_of(planned.id)
        body = Accepted(was=planned.was, address=address, run=read_run(connection, planned.id, now))
        told = asked.model_dump(mode="json", exclude_defaults=True)
        wakes = () if planned.was in ("paused", "finished") else ((WORK,),)
        return Done(202, body, "run.start", f"run {planned.id}", address, told, wakes)

    return change.make(asked, work)


@router.post("/runs/{run}/pause", response_model=RunDetail, responses=CHANGES)
def post_pause(change: Change, run: RunId) -> Response:
    """Have nothing more asked: what is in flight is finished and stored, the rest waits."""
    return _tell(change, run, "pause", lambda connection, _: (control.pause(connection, run), ()))


@router.post("/runs/{run}/resume", status_code=202, response_model=RunDetail, responses=CHANGES)
def post_resume(change: Change, run: RunId, asked: Resumption | None = None) -> Response:
    """Go on with a paused run; one that its budget paused needs a larger one."""
    given = asked or Resumption()

    def work(connection: Connection, now: datetime) -> tuple[control.Asked, tuple[Any, ...]]:
        told = control.resume(connection, run, given.given(), now, unlimited=given.no_budget)
        return told, (SCORE, run) if told.finished else (WORK,)

    return _tell(change, run, "resume", work, given)


@router.post("/runs/{run}/cancel", response_model=RunDetail, responses=CHANGES)
def post_cancel(change: Change, run: RunId) -> Response:
    """End a run for good: its answers are kept, it is never ranked, and it never goes on."""
    return _tell(change, run, "cancel", lambda connection, now: (control.cancel(connection, run, now), ()))


@router.post("/runs/{run}/retry", status_code=202, response_model=RunDetail, responses=CHANGES)
def post_retry(change: Change, run: RunId) -> Response:
    """Ask again the questions of a finished run that ended in an error, and only those."""

    def work(connection: Connection, _: datetime) -> tuple[control.Asked, tuple[Any, ...]]:
        told, _opened = control.retry(connection, run, change.service.settings.batch_size)
        return told, (WORK,)

    return _tell(change, run, "retry", work)


def _tell(
    change: Changing,
    run: int,
    verb: Literal["pause", "resume", "cancel", "retry"],
    work: Callable[[Connection, datetime], tuple[control.Asked, tuple[Any, ...]]],
    asked: Resumption | None = None,
) -> Response:
    """Do `work`, which gives the message to send; answer where the run stands after it."""

    def all_of_it(connection: Connection, now: datetime) -> Done:
        told, wake = work(connection, now)
        detail = {"was": told.was} | (asked.model_dump(mode="json", exclude_defaults=True) if asked else {})
        status = 202 if verb in ("resume", "retry") else 200
        return Done(
            status,
            read_run(connection, run, now),
            f"run.{verb}",
            f"run {run}",
            address_of(run),
            detail,
            (wake,) if wake else (),
            told.changed,
        )

    return change.make(asked, all_of_it)
