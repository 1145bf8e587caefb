"""Disputes: a question doubted by any key; its proof, and a decision, for maintainers."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from app.access.idempotency import Answer, answer_once
from app.api.access import Maintainer, Reader, actor, only_own
from app.api.caching import tagged_json
from app.api.changing import Change, Done, IdempotencyKey, sent_request, told
from app.api.parameters import Cursor, Dataset, Limit, QuestionId, Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.disputes import opening
from app.disputes.deciding import read_disputed
from app.disputes.models import Dispute, Disputed, DisputePage, NewDecision, NewDispute, State
from app.jobs.jobs import Job
from app.operations.decide import ask_for_erratum, reject_dispute
from app.predictions.messages import JOB
from app.questions.versions import find_version

router = APIRouter(tags=["disputes"], route_class=StrictRoute)
Number = Annotated[int, Path(ge=1, le=2**62, examples=[3])]


class Decision(BaseModel):
    """A dispute that was decided, or the job that does so: an erratum is published by a worker."""

    dispute: Dispute
    job: Job | None = Field(description="null for a rejection, which takes effect at once")


@router.post(
    "/datasets/{dataset}/questions/{question}/disputes",
    status_code=201,
    response_model=Dispute,
    responses={**refusals(400, 401, 403, 404, 408, 409, 413, 422, 429), 200: {"model": Dispute}},
)
def post_dispute(
    request: Request,
    service: ServiceOf,
    caller: Reader,
    dataset: Dataset,
    question: QuestionId,
    asked: NewDispute,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Dispute a question. One a key and question may be open; the same again is the same dispute, with a 200."""

    def work(connection: Connection, now: datetime) -> Answer:
        version = find_version(connection, dataset)
        opened = opening.open_dispute(connection, version, question, asked, caller.first_id, now)
        found = opening.read_dispute(connection, opened.id, caller.first_id)
        return _answer(found, 201 if opened.is_new else 200)

    with service.engine.connect() as connection:
        opening.begin_writing(connection)
        sent = sent_request(request, caller, idempotency_key, asked)
        answer = answer_once(connection, sent, work, service.clock.now())
        connection.commit()
    return told(answer)


@router.get("/disputes", response_model=DisputePage, responses=refusals(304, 400, 401, 403, 404, 429))
def get_disputes(
    request: Request,
    service: ServiceOf,
    caller: Reader,
    dataset: Annotated[Word | None, Query(description="name (its newest version) or name@version")] = None,
    state: State | None = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """Your key's disputes, the newest first; to maintainers, all."""
    position = service.cursors.read(request, cursor, (int,))
    before = position[0] if position else opening.FIRST
    with service.engine.connect() as connection:
        version_id = None if dataset is None else find_version(connection, dataset).id
        found = opening.list_disputes(connection, only_own(caller), version_id, state, before, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].dispute]) if len(found) > limit else None
    page = DisputePage(disputes=shown, next=further)
    return tagged_json(request, page, further, private=True, licensed=False)


@router.get("/disputes/{dispute}", response_model=Dispute, responses=refusals(401, 403, 404, 429))
def get_dispute(service: ServiceOf, caller: Reader, dispute: Number) -> Response:
    """A dispute, and what was decided."""
    with service.engine.connect() as connection:
        found = opening.read_dispute(connection, dispute, only_own(caller))
    return told(_answer(found))


@router.post(
    "/disputes/{dispute}/withdraw", response_model=Dispute, responses=refusals(401, 403, 404, 409, 429)
)
def post_withdraw(service: ServiceOf, caller: Reader, dispute: Number) -> Response:
    """Take a dispute of your key back, as long as it is open."""
    with service.engine.connect() as connection:
        opening.begin_writing(connection)
        opening.withdraw_dispute(connection, dispute, caller.first_id, service.clock.now())
        found = opening.read_dispute(connection, dispute, caller.first_id)
        connection.commit()
    return told(_answer(found))


@router.get(
    "/disputes/{dispute}/proof", response_model=Disputed, responses=refusals(304, 401, 403, 404, 429, 501)
)
def get_proof(request: Request, service: ServiceOf, _: Maintainer, dispute: Number) -> Response:
    """What a maintainer needs to decide: gold, SQL, binds, evidence, and what each finished run answered."""
    with service.changing() as connection:
        found = read_disputed(connection, dispute)
    return tagged_json(request, found, private=True)


@router.post(
    "/disputes/{dispute}/decision",
    status_code=202,
    response_model=Decision,
    responses={**refusals(400, 401, 403, 404, 408, 409, 413, 422, 429, 501), 200: {"model": Decision}},
)
def post_decision(change: Change, dispute: Number, asked: NewDecision) -> Response:
    """Reject a dispute (200), or have a worker void or correct the question in a new version (202, a job)."""

    def work(connection: Connection, now: datetime) -> Done:
        if asked.verdict == "reject":
            who = actor(change.request, change.caller)
            rejected = reject_dispute(connection, dispute, asked, who, change.service.clock)
            body = Decision(dispute=rejected, job=None)
            return Done(200, body, "dispute.reject", f"dispute {dispute}", changed=False)
        found, job = ask_for_erratum(connection, dispute, asked, change.caller.id, now)
        body = Decision(dispute=found, job=job)
        detail = {"verdict": asked.verdict, "job": job.job}
        where = f"/v1/jobs/{job.job}"
        return Done(202, body, "dispute.decide", f"dispute {dispute}", where, detail, wakes=((JOB,),))

    return change.make(asked, work)


def _answer(found: Dispute, status: int = 200) -> Answer:
    return Answer(status, found.model_dump(mode="json"), f"/v1/disputes/{found.dispute}")
