"""Jobs: what takes too long for a request; and requests that were answered, for those that come twice."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class Job(Base):
    """Work for a worker, leased to one at a time; PostgreSQL holds it, messages only say that it is there."""

    __tablename__ = "job"
    __table_args__ = (
        CheckConstraint("state in ('waiting', 'running', 'done', 'failed', 'cancelled')", name="state"),
        CheckConstraint("(state = 'failed') = (error is not null)", name="failed_says_why"),
        Index("ix_job_open", "id", postgresql_where="state in ('waiting', 'running')"),
    )

    id: Mapped[Key]
    kind: Mapped[str] = mapped_column(comment="endpoint_check, import, generate, rescore or refresh")
    arguments: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(server_default="waiting")
    attempt: Mapped[int] = mapped_column(server_default="0", comment="times that it was begun")
    owner: Mapped[str | None] = mapped_column(comment="host and process of the worker")
    deadline: Mapped[datetime | None]
    progress: Mapped[str | None] = mapped_column(comment="the last line that it told of itself")
    cancel_asked_at: Mapped[datetime | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    error: Mapped[str | None] = mapped_column(comment="why it failed, in words")
    key_id: Mapped[int | None] = mapped_column(ForeignKey(f"{SCHEMA}.api_key.id"), comment="who asked for it")
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class SentRequest(Base):
    """A request that bore an Idempotency-Key, and its answer: sent again, it is answered so, and nothing is done."""

    __tablename__ = "sent_request"

    key_id: Mapped[int] = mapped_column(BigInteger, ForeignKey(f"{SCHEMA}.api_key.id"), primary_key=True)
    idempotency_key: Mapped[str] = mapped_column(primary_key=True)
    request_hash: Mapped[str] = mapped_column(comment="of method, path and body")
    status: Mapped[int]
    location: Mapped[str | None]
    body: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
