"""Submissions, and their answers until they are predictions of a run."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, false
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class Submission(Base):
    """Answers that somebody computed elsewhere: who, with what, and where they stand."""

    __tablename__ = "submission"
    __table_args__ = (
        CheckConstraint(
            "state in ('waiting', 'scoring', 'scored', 'failed', 'withdrawn', 'deleted')", name="state"
        ),
        CheckConstraint("(state = 'failed') = (error is not null)", name="failed_says_why"),
        CheckConstraint(
            "(state in ('waiting', 'scoring')) = (deadline is not null)", name="open_has_deadline"
        ),
        CheckConstraint("source in ('answers', 'lm-eval', 'inspect')", name="source"),
        Index("ix_submission_version", "version_id"),
        Index("ix_submission_run", "run_id", unique=True),
        Index("ix_submission_open", "id", postgresql_where="state in ('waiting', 'scoring')"),
    )

    id: Mapped[Key]
    version_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.dataset_version.id"))
    key_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="null: at the command line"
    )
    label: Mapped[str] = mapped_column(comment="the name on boards")
    card: Mapped[dict[str, Any]] = mapped_column(comment="what is told of it, without the contact")
    contact: Mapped[str | None] = mapped_column(comment="private: for maintainers alone, gone when deleted")
    self_reported: Mapped[bool] = mapped_column(comment="false: run by whoever keeps this service")
    source: Mapped[str] = mapped_column(comment="whose form the answers came in")
    digest: Mapped[str] = mapped_column(comment="SHA-256 over the answers, in their order")
    answers: Mapped[int]
    repeats: Mapped[int] = mapped_column(comment="answers to each question")
    public_only: Mapped[bool] = mapped_column(
        server_default="false",
        comment="counts public questions alone: its owner's submissions with hidden ones are used up",
    )
    state: Mapped[str] = mapped_column(server_default="waiting")
    run_id: Mapped[int | None] = mapped_column(ForeignKey(f"{SCHEMA}.run.id"))
    attempt: Mapped[int] = mapped_column(server_default="0", comment="times that scoring was begun")
    owner: Mapped[str | None] = mapped_column(comment="host and process of the worker")
    deadline: Mapped[datetime | None] = mapped_column(comment="until when it may stay in its state")
    error: Mapped[str | None] = mapped_column(comment="why it failed, in words")
    log: Mapped[list[Any]] = mapped_column(JSONB, server_default="[]", comment="[{at, said}]")
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class SubmissionAnswer(Base):
    """An answer that was submitted and is no prediction yet."""

    __tablename__ = "submission_answer"

    submission_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey(f"{SCHEMA}.submission.id"), primary_key=True
    )
    question_id: Mapped[str] = mapped_column(primary_key=True)
    repeat: Mapped[int] = mapped_column(primary_key=True)
    answer: Mapped[str | None] = mapped_column(comment="null where the model gave none")
    silent: Mapped[bool] = mapped_column(
        server_default=false(), comment="says nothing, or that the model does not know"
    )
    session_id: Mapped[str | None] = mapped_column(comment="the session in which an agent found it")
    usage: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True),
        comment="{prompt_tokens, completion_tokens, money} as whoever submitted it states them",
    )
