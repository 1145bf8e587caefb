"""Disputes: who doubts a question of a published version and why, and what was decided."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class Dispute(Base):
    """A doubt about a question. The api role reads no row: it asks `dispute_seen`, which tells less of hidden ones."""

    __tablename__ = "dispute"
    __table_args__ = (
        ForeignKeyConstraint(
            ["version_id", "question_id"], [f"{SCHEMA}.question.version_id", f"{SCHEMA}.question.id"]
        ),
        CheckConstraint("state in ('open', 'accepted', 'rejected', 'withdrawn')", name="state"),
        CheckConstraint(
            "reason in ('wrong_answer', 'other_right_answer', 'ambiguous', 'unclear', 'other')", name="reason"
        ),
        CheckConstraint("(state = 'open') = (closed_at is null)", name="closed_says_when"),
        CheckConstraint(
            "(state in ('accepted', 'rejected')) = (decision is not null)", name="decided_says_why"
        ),
        CheckConstraint(
            "(state = 'accepted') = (outcome is not null)"
            " and (outcome is null) = (erratum_version_id is null)"
            " and (outcome is null or outcome in ('voided', 'corrected'))",
            name="accepted_has_erratum",
        ),
        Index(
            "uq_dispute_open",
            "version_id",
            "question_id",
            "key_id",
            unique=True,
            postgresql_where="state = 'open'",
            postgresql_nulls_not_distinct=True,
        ),
        Index("ix_dispute_key", "key_id", "id"),
        Index("ix_dispute_erratum", "erratum_version_id"),
    )

    id: Mapped[Key]
    version_id: Mapped[int] = mapped_column(BigInteger)
    question_id: Mapped[str]
    key_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="null: at the command line"
    )
    reason: Mapped[str]
    text: Mapped[str] = mapped_column(comment="what is wrong, in the words of who disputes it")
    proposed: Mapped[str | None] = mapped_column(comment="the answer that would be right")
    state: Mapped[str] = mapped_column(server_default="open")
    created_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    decision: Mapped[str | None] = mapped_column(comment="in the maintainer's words")
    decided_by: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="null: at the command line"
    )
    outcome: Mapped[str | None] = mapped_column(comment="of an accepted one: voided or corrected")
    erratum_version_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.dataset_version.id"), comment="the version that puts it right"
    )
