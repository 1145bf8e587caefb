"""Disputes as their own keys see them: opened, read, listed, withdrawn. Works as the role api, which reads no gold.

What was decided of a hidden question is not told: that it was accepted or rejected, and what became of it, is.
"""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, TooMany
from app.disputes import queries
from app.disputes.models import Dispute, NewDispute
from app.questions.versions import PublishedVersion

FIRST = 2**62
"""An id beyond all others: where a list that runs down begins."""
MOST_OPEN = 50
MOST_A_DAY = 50
"""Disputes of one key, those that it withdrew too."""


class Opened(NamedTuple):
    """A dispute that is stored; `is_new` tells whether it was not before."""

    id: int
    is_new: bool


def begin_writing(connection: Connection) -> None:
    """What comes first in a transaction of the api role that opens or withdraws a dispute."""
    connection.execute(queries.WRITE)


def open_dispute(
    connection: Connection,
    version: PublishedVersion,
    question_id: str,
    given: NewDispute,
    key_id: int | None,
    now: datetime,
) -> Opened:
    """Store it; the same again, while it is open, is the dispute that there is. The caller commits.

    Raises NotFound, TooMany, Conflict for a second one of the key, and where a newer version settled the question.
    """
    asked = {"version_id": version.id, "question_id": question_id}
    if connection.execute(queries.QUESTION, asked).one_or_none() is None:
        raise NotFound(f"{version.reference} has no question {question_id!r}.")
    values = {
        **asked,
        "key_id": key_id,
        "reason": given.reason,
        "words": given.text,
        "proposed": given.proposed,
        "most_open": MOST_OPEN,
        "most_a_day": MOST_A_DAY,
        "now": now,
    }
    row = connection.execute(queries.OPEN, values).one()
    if row.outcome == "another":
        raise Conflict(
            f"You dispute this question already (dispute {row.id}): withdraw that one to say otherwise."
        )
    if row.outcome == "settled":
        raise Conflict(
            f"A newer version of {version.name} asks this question no longer, or otherwise: read that one, and dispute "
            "its question if need be."
        )
    if row.outcome == "quota":
        raise TooMany(
            f"A key has {MOST_OPEN} open disputes at most, and opens {MOST_A_DAY} within a day.",
            retry_after=3600.0,
        )
    return Opened(row.id, row.outcome == "new")


def read_dispute(connection: Connection, dispute_id: int, key_id: int | None) -> Dispute:
    """A dispute of that key, or anybody's where it is None. Raises NotFound."""
    row = connection.execute(queries.READ, {"dispute_id": dispute_id}).one_or_none()
    if row is None or (key_id is not None and row.key_id != key_id):
        raise no_dispute(dispute_id)
    return dispute_of(row)


def list_disputes(
    connection: Connection,
    key_id: int | None,
    version_id: int | None,
    state: str | None,
    before: int,
    limit: int,
) -> list[Dispute]:
    """At most `limit` disputes of that key, or of all, opened before the one numbered `before`; the newest first."""
    binds = {"key_id": key_id, "version_id": version_id, "state": state, "before": before, "limit": limit}
    return [dispute_of(row) for row in connection.execute(queries.LIST, binds)]


def withdraw_dispute(connection: Connection, dispute_id: int, key_id: int, now: datetime) -> None:
    """Its own key takes it back. The caller commits. Raises NotFound, Conflict for one that is decided."""
    binds = {"dispute_id": dispute_id, "key_id": key_id, "now": now}
    state = connection.execute(queries.WITHDRAW, binds).scalar_one()
    if state is None:
        raise no_dispute(dispute_id)
    if state != "withdrawn":
        raise Conflict(f"Dispute {dispute_id} is {state}: nothing is left to be withdrawn.")


def no_dispute(dispute_id: int) -> NotFound:
    """The error for a dispute that there is not, or is another's."""
    return NotFound(f"There is no dispute {dispute_id} of yours.")


def dispute_of(row: Row[Any]) -> Dispute:
    """A dispute from a row of READ, LIST or READ_WHOLE."""
    values = dict(row._mapping)
    return Dispute(dispute=values.pop("id"), question=values.pop("question_id"), **values)
