"""Requests that are sent twice: one that bears an Idempotency-Key is done once, and answered the same again for a day.

The answer is stored in the transaction of what was done: both are there, or neither.
"""

from collections.abc import Callable
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


def answer_once(
    connection: Connection,
    request: SentRequest | None,
    work: Callable[[Connection, datetime], Answer],
    now: datetime,
) -> Answer:
    """What `work` comes to, kept with the request; what it was answered before where it comes again within a day.

    Requests with the same key come one after the other. None is a request without a key: it is done each time. The
    caller commits. Raises Conflict where the key was another request's.
    """
    if request is None:
        return work(connection, now)
    values = {
        "key_id": request.key_id,
        "idempotency_key": request.idempotency_key,
        "request_hash": request.hash,
    }
    row = connection.execute(queries.ANSWER_OF_REQUEST, {**values, "forgotten": now - KEPT}).one_or_none()
    if row is not None and not row.is_same:
        raise Conflict(
            f"The Idempotency-Key {request.idempotency_key!r} was another request's: take a new one for a new request."
        )
    if row is not None:
        return Answer(row.status, row.body, row.location)
    answer = work(connection, now)
    told = {"status": answer.status, "location": answer.location, "body": canonical_json(answer.body)}
    connection.execute(queries.KEEP_REQUEST, {**values, **told, "now": now})
    return answer
