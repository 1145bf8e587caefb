"""Requests that are sent twice: one that bears an Idempotency-Key is done once, and answered the same again for a day.

The answer is stored in the transaction of what was done: both are there, or neither.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.access import queries
from app.core.errors import Conflict
from app.core.identity import canonical_json

KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Answer:
    """What a request was answered."""

    status: int
    body: dict[str, Any]
    location: str | None = None


@dataclass(frozen=True)
class SentRequest:
    """A request by an API key; `hash` is of all that it asks for."""

    key_id: int
    idempotency_key: str
    hash: str


def answer_before(connection: Connection, request: SentRequest, now: datetime) -> Answer | None:
    """What the request was answered within the last day; None for one that is new, which waits for nobody from here on.

    Requests with the same key come one after the other. Raises Conflict where the key was another request's.
    """
    binds = {"key_id": request.key_id, "idempotency_key": request.idempotency_key}
    connection.execute(queries.LOCK_REQUEST, {"name": canonical_json([*binds.values()])})
    connection.execute(queries.FORGET_REQUESTS, {"key_id": request.key_id, "before": now - KEPT})
    row = connection.execute(queries.FIND_REQUEST, binds).one_or_none()
    if row is None:
        return None
    if row.request_hash != request.hash:
        raise Conflict(
            f"The Idempotency-Key {request.idempotency_key!r} was another request's: take a new one for a new request."
        )
    return Answer(row.status, row.body, row.location)


def keep_answer(connection: Connection, request: SentRequest, answer: Answer, now: datetime) -> None:
    """Store what the request was answered. The caller commits."""
    values = {
        "key_id": request.key_id,
        "idempotency_key": request.idempotency_key,
        "request_hash": request.hash,
        "status": answer.status,
        "location": answer.location,
        "body": canonical_json(answer.body),
        "now": now,
    }
    connection.execute(queries.KEEP_REQUEST, values)
