"""Around every change that REST makes: the maintainer's connection, the record, and requests that are sent twice."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from app.access.audit import note
from app.access.idempotency import Answer, SentRequest, answer_once
from app.access.keys import Caller
from app.api.access import Maintainer, actor
from app.api.service import Service, ServiceOf
from app.core.identity import canonical_json, digest

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[!-~]+$",
        description="a word that you choose; within a day, a request with the same word is carried out only once",
    ),
]


@dataclass(frozen=True)
class Done:
    """What a change came to: its answer, what the record says of it, and whom to wake once it is committed."""

    status: int
    body: BaseModel
    action: str
    subject: str
    location: str | None = None
    detail: dict[str, Any] = field(default_factory=dict)
    wakes: tuple[tuple[Any, ...], ...] = ()
    changed: bool = True


@dataclass(frozen=True)
class Changing:
    """A maintainer's request that changes something."""

    request: Request
    service: Service
    caller: Caller
    idempotency_key: str | None

    def make(self, asked: BaseModel | None, work: Callable[[Connection, datetime], Done]) -> Response:
        """Do `work` in one transaction with its line in the record, once; then wake workers, and answer.

        What fails has changed nothing, and is tried anew when it is sent again.
        """
        wakes: list[tuple[Any, ...]] = []

        def change(connection: Connection, now: datetime) -> Answer:
            done = work(connection, now)
            if done.changed:
                who = actor(self.request, self.caller)
                note(connection, who, done.action, done.subject, now, done.detail)
            wakes.extend(done.wakes)
            return Answer(done.status, done.body.model_dump(mode="json"), done.location)

        sent = sent_request(self.request, self.caller, self.idempotency_key, asked)
        with self.service.changing() as connection:
            answer = answer_once(connection, sent, change, self.service.clock.now())
            connection.commit()
        for wake in wakes:
            self.service.wake(*wake)
        return told(answer)


def changing(
    request: Request, service: ServiceOf, caller: Maintainer, idempotency_key: IdempotencyKey = None
) -> Changing:
    """A request that changes something: it needs a maintainer's key."""
    return Changing(request, service, caller, idempotency_key)


Change = Annotated[Changing, Depends(changing)]


def sent_request(
    request: Request, caller: Caller, idempotency_key: str | None, asked: BaseModel | None
) -> SentRequest | None:
    """The request as it is known again; None for one that bears no Idempotency-Key."""
    if idempotency_key is None:
        return None
    body = None if asked is None else asked.model_dump(mode="json")
    return SentRequest(caller.id, idempotency_key, digest(request.method, request.scope["path"], body))


def told(answer: Answer) -> Response:
    """The answer as it is sent."""
    headers = {"Cache-Control": "no-store"} | ({"Location": answer.location} if answer.location else {})
    return Response(canonical_json(answer.body), answer.status, headers, "application/json")
