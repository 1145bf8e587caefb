"""Sessions of agents that others run: which tools they called for a question, until the answer is submitted."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base


class AgentSession(Base):
    """The tool calls that an agent may make for one question; they belong to a key."""

    __tablename__ = "agent_session"
    __table_args__ = (
        ForeignKeyConstraint(
            ["version_id", "question_id"], [f"{SCHEMA}.question.version_id", f"{SCHEMA}.question.id"]
        ),
        Index("ix_agent_session_key", "key_id", "opened_at", "id"),
        Index("ix_agent_session_submission", "submission_id"),
        Index("ix_agent_session_unused", "ends_at", postgresql_where="submission_id is null"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, comment="128 random bits, hexadecimal")
    key_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="the first key of its owner's line"
    )
    version_id: Mapped[int] = mapped_column(BigInteger)
    question_id: Mapped[str]
    snapshot_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.snapshot.id"), comment="the map on which its tools are called"
    )
    tool_set: Mapped[str]
    most_calls: Mapped[int]
    most_bytes: Mapped[int] = mapped_column(comment="of all its answers together")
    calls: Mapped[int] = mapped_column(server_default="0")
    bytes: Mapped[int] = mapped_column(server_default="0")
    opened_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    closed_at: Mapped[datetime | None] = mapped_column(comment="when its owner ended it")
    submission_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.submission.id"), comment="the submission whose answer names it"
    )


class AgentSessionCall(Base):
    """One tool call of a session and its outcome, stored before the answer left; never one without an outcome."""

    __tablename__ = "agent_session_call"

    session_id: Mapped[str] = mapped_column(
        ForeignKey(f"{SCHEMA}.agent_session.id", ondelete="CASCADE"), primary_key=True
    )
    ordinal: Mapped[int] = mapped_column(primary_key=True, comment="0 for the first call of the session")
    request: Mapped[dict[str, Any]] = mapped_column(
        comment="{tool, arguments, set, snapshot, checksum, tools_version}"
    )
    request_hash: Mapped[str]
    response: Mapped[dict[str, Any]] = mapped_column(
        comment="{sentence, result}, or {error: {kind, message}}"
    )
    bytes: Mapped[int] = mapped_column(comment="of the answer")
    sent_at: Mapped[datetime]
    answered_at: Mapped[datetime]
    latency_ms: Mapped[int]
