"""A session as its owner sees it: its question without gold, its limits, and what ended it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Row

from app.db.naming import snapshot_reference
from app.questions.prompts import prompt_as_text, published_parts

End = Literal["submitted", "closed", "calls", "bytes", "time"]
ENDED: Mapping[End, str] = {
    "submitted": "its answer is submitted",
    "closed": "it was closed",
    "calls": "it had all of its calls",
    "bytes": "its answers took all of their room",
    "time": "its time is over",
}
"""What ended a session, as a sentence says it."""


class SessionLimits(BaseModel):
    """What a session may take."""

    model_config = ConfigDict(frozen=True)

    calls: int
    bytes: int = Field(description="of all answers together, as REST sends them")
    seconds: int = Field(description="from its opening on")


class SessionState(BaseModel):
    """A session and where it stands. Of the question there is what everybody may see, and nothing else."""

    model_config = ConfigDict(frozen=True)

    session: str = Field(description="128 random bits; they open nothing without the key")
    dataset: str = Field(examples=["demo_gsqa@1"])
    question: str = Field(description="its id")
    text: str
    parts: list[dict[str, Any]] | None = Field(
        default=None, description="the prompt's parts in order, where there is more than text"
    )
    options: list[str] | None
    answer_type: str
    snapshot: str = Field(description="the map on which its tools are called")
    tool_set: str = Field(examples=["all"])
    limits: SessionLimits
    calls: int = Field(description="calls that were answered")
    bytes: int = Field(description="of their answers")
    opened_at: datetime
    ends_at: datetime
    ended: End | None = Field(
        description="what ended it: no call is answered after that; null while it is open"
    )
    submission: int | None = Field(description="the submission in which an answer names it")


class SessionCall(BaseModel):
    """One call of a session, as it is stored."""

    model_config = ConfigDict(frozen=True)

    ordinal: int
    request: dict[str, Any]
    response: dict[str, Any]
    bytes: int
    sent_at: datetime
    latency_ms: int


def state_of(row: Row[Any], now: datetime) -> SessionState:
    """The session that a row of `queries.READ` tells of, as it stands at `now`."""
    return SessionState(
        session=row.id,
        dataset=row.dataset,
        question=row.question_id,
        text=prompt_as_text(row.prompt),
        parts=published_parts(row.prompt),
        options=row.options,
        answer_type=row.answer_type,
        snapshot=snapshot_reference(row.map_name, row.data_timestamp),
        tool_set=row.tool_set,
        limits=SessionLimits(
            calls=row.most_calls,
            bytes=row.most_bytes,
            seconds=round((row.ends_at - row.opened_at).total_seconds()),
        ),
        calls=row.calls,
        bytes=row.bytes,
        opened_at=row.opened_at,
        ends_at=row.ends_at,
        ended=_end_of(row, now),
        submission=row.submission_id,
    )


def _end_of(row: Row[Any], now: datetime) -> End | None:
    if row.submission_id is not None:
        return "submitted"
    # Its agent may close a session that had ended before: what ended it first counts.
    if row.calls >= row.most_calls:
        return "calls"
    if row.bytes >= row.most_bytes:
        return "bytes"
    if row.closed_at is not None and row.closed_at < row.ends_at:
        return "closed"
    return "time" if row.ends_at <= now else None
