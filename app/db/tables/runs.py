"""Endpoints, runs, their leased batches, every call (step) and every answer (prediction)."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import SCHEMA, Base, Key


class Endpoint(Base):
    """An OpenAI-compatible server; its key is named by a variable, never stored."""

    __tablename__ = "endpoint"

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(unique=True)
    url: Mapped[str] = mapped_column(comment="base URL up to and without /chat/completions")
    model: Mapped[str]
    key_variable: Mapped[str | None]
    limits: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    prices: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    body: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="fields that chat calls set, and leave away where they are null"
    )
    created_at: Mapped[datetime]
    revision: Mapped[str | None] = mapped_column(
        comment="of the model, where whoever added the record names it"
    )
    record: Mapped[str | None] = mapped_column(
        comment="the name given by `endpoint add`; earlier ones are called NAME#1, …"
    )
    health: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="what the last check found; null before the first"
    )
    checked_at: Mapped[datetime | None]
    canaries: Mapped[dict[str, Any]] = mapped_column(
        JSONB,
        server_default="{}",
        comment="canary: what the model said when it was asked to continue its beginning",
    )


class Run(Base):
    """A data set version asked of a solver."""

    __tablename__ = "run"
    __table_args__ = (
        CheckConstraint(
            "status in ('queued', 'running', 'complete', 'incomplete', 'cancelled', 'paused')", name="status"
        ),
        CheckConstraint("(status = 'paused') = (pause_reason is not null)", name="paused_says_why"),
        CheckConstraint("kind in ('answers', 'judgement')", name="kind"),
        Index("ix_run_version", "version_id"),
        Index("ix_run_carried_from", "carried_from"),
    )

    id: Mapped[Key]
    version_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.dataset_version.id"))
    solver: Mapped[str]
    solver_version: Mapped[int]
    endpoint_id: Mapped[int | None] = mapped_column(ForeignKey(f"{SCHEMA}.endpoint.id"))
    label: Mapped[str] = mapped_column(comment="the name on boards")
    seed: Mapped[int] = mapped_column(BigInteger)
    sampling: Mapped[dict[str, Any]]
    repeats: Mapped[int] = mapped_column(server_default="1")
    presentation: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(server_default="queued")
    total: Mapped[int] = mapped_column(comment="predictions that make it complete")
    reasked: Mapped[int] = mapped_column(
        server_default="0", comment="requests in flight when their worker was lost"
    )
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    prices: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="the endpoint's when the run was made: its cost stands on them"
    )
    spent_prompt: Mapped[int] = mapped_column(
        BigInteger,
        server_default="0",
        comment="tokens of all calls, as the endpoint counted them, else as reckoned",
    )
    spent_completion: Mapped[int] = mapped_column(
        BigInteger, server_default="0", comment="tokens of all answers, likewise"
    )
    reserved_prompt: Mapped[int] = mapped_column(
        BigInteger, server_default="0", comment="reckoned tokens of the calls in flight"
    )
    reserved_completion: Mapped[int] = mapped_column(
        BigInteger, server_default="0", comment="most tokens that their answers may have"
    )
    budget: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="{tokens, money}: what its calls may take"
    )
    pause_reason: Mapped[str | None] = mapped_column(
        comment="request: somebody asked; interrupted: the command that waited was stopped; budget: it did not suffice"
    )
    pace: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True),
        comment="{concurrency, timeout_seconds, tries}: of its calls, before what the endpoint's record says",
    )
    sample: Mapped[list[str] | None] = mapped_column(
        ARRAY(Text), comment="the questions it asks; null for all"
    )
    reuse: Mapped[bool] = mapped_column(
        server_default="false", comment="whether answers to identical calls of earlier runs are copied"
    )
    carried_from: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"),
        comment="the run of an earlier version whose answers these are; nothing was asked again",
    )
    public_only: Mapped[bool] = mapped_column(
        server_default="false",
        comment="counts public questions alone: its owner's submissions with hidden ones are used up",
    )
    kind: Mapped[str] = mapped_column(
        server_default="answers",
        comment="answers: to the questions of its version; judgement: a judge's marks on the answers of another run",
    )


class Batch(Base):
    """A lease over some of a run's questions."""

    __tablename__ = "batch"
    __table_args__ = (
        UniqueConstraint("run_id", "number"),
        CheckConstraint("state in ('waiting', 'leased', 'done')", name="state"),
        Index("ix_batch_open", "state", "deadline", postgresql_where="state <> 'done'"),
    )

    id: Mapped[Key]
    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"))
    number: Mapped[int]
    question_ids: Mapped[list[str]] = mapped_column(ARRAY(Text))
    state: Mapped[str] = mapped_column(server_default="waiting")
    owner: Mapped[str | None] = mapped_column(comment="host and process of the worker")
    fencing_token: Mapped[int] = mapped_column(BigInteger, server_default="0")
    deadline: Mapped[datetime | None]
    attempt: Mapped[int] = mapped_column(server_default="0", comment="leases that expired")


class Step(Base):
    """One call of an endpoint or a tool; committed as `sent` before it leaves, as `done` when it is answered."""

    __tablename__ = "step"
    __table_args__ = (
        ForeignKeyConstraint(
            ["version_id", "question_id"], [f"{SCHEMA}.question.version_id", f"{SCHEMA}.question.id"]
        ),
        UniqueConstraint("run_id", "question_revision", "presentation_key", "repeat", "ordinal", "attempt"),
        CheckConstraint("state in ('sent', 'done', 'failed', 'lost')", name="state"),
    )

    id: Mapped[Key]
    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"))
    batch_id: Mapped[int] = mapped_column(BigInteger)
    fencing_token: Mapped[int] = mapped_column(BigInteger)
    version_id: Mapped[int] = mapped_column(BigInteger)
    question_id: Mapped[str]
    question_revision: Mapped[str]
    presentation_key: Mapped[str]
    repeat: Mapped[int]
    ordinal: Mapped[int] = mapped_column(comment="0 for the first call of an episode")
    attempt: Mapped[int]
    kind: Mapped[str]
    state: Mapped[str]
    request_hash: Mapped[str]
    request: Mapped[dict[str, Any]]
    response: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    http_status: Mapped[int | None]
    usage: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    error: Mapped[str | None]
    sent_at: Mapped[datetime]
    answered_at: Mapped[datetime | None]
    latency_ms: Mapped[int | None] = mapped_column(
        comment="from the request's leaving to the end of its answer"
    )
    finish_reason: Mapped[str | None]
    engine: Mapped[str | None] = mapped_column(
        comment="as the answer names it, else as the last check of the endpoint did"
    )
    reserved_prompt: Mapped[int | None] = mapped_column(
        comment="while in flight: reckoned tokens of the prompt"
    )
    reserved_completion: Mapped[int | None] = mapped_column(
        comment="while in flight: most tokens of the answer"
    )
    reused_from: Mapped[int | None] = mapped_column(
        BigInteger, comment="the step of an earlier run whose answer this is"
    )


class Prediction(Base):
    """One answer; unique by run, question revision, presentation and repeat."""

    __tablename__ = "prediction"
    __table_args__ = (
        ForeignKeyConstraint(
            ["version_id", "question_id"], [f"{SCHEMA}.question.version_id", f"{SCHEMA}.question.id"]
        ),
        UniqueConstraint("run_id", "question_revision", "presentation_key", "repeat"),
        CheckConstraint("state in ('answered', 'no_answer', 'error')", name="state"),
        CheckConstraint("rotation >= 0", name="rotation"),
        CheckConstraint("(state = 'error') = (error is not null)", name="error_says_why"),
        Index("ix_prediction_question", "version_id", "question_id"),
    )

    id: Mapped[Key]
    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"))
    version_id: Mapped[int] = mapped_column(BigInteger)
    question_id: Mapped[str]
    question_revision: Mapped[str]
    presentation_key: Mapped[str]
    rotation: Mapped[int] = mapped_column(
        server_default="0", comment="places by which the options were turned; 0 shows them as stored"
    )
    repeat: Mapped[int]
    state: Mapped[str]
    answer: Mapped[str | None]
    detail: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    error: Mapped[str | None] = mapped_column(comment="what of ours failed, in words")
    fencing_token: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
