"""Reviews: the sample of a version, its questions, and every mark that was ever loaded.

Beside versions, never part of them. No public role reads a table of these; it reads aggregates by views.
"""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class ReviewSample(Base):
    """The one sample of a version that is reviewed; with the version's questions, seed and size tell it whole."""

    __tablename__ = "review_sample"

    version_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.dataset_version.id"), primary_key=True)
    seed: Mapped[int] = mapped_column(BigInteger)
    size: Mapped[int]


class ReviewQuestion(Base):
    """A question of the sample."""

    __tablename__ = "review_question"
    __table_args__ = (
        ForeignKeyConstraint(
            ["version_id", "question_id"], [f"{SCHEMA}.question.version_id", f"{SCHEMA}.question.id"]
        ),
    )

    version_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.review_sample.version_id"), primary_key=True
    )
    question_id: Mapped[str] = mapped_column(primary_key=True)


class ReviewMark(Base):
    """What a reviewer said of a question; the latest counts, earlier ones stay."""

    __tablename__ = "review_mark"
    __table_args__ = (
        CheckConstraint("mark in ('natural', 'ambiguous', 'wrong')", name="mark"),
        ForeignKeyConstraint(
            ["version_id", "question_id"],
            [f"{SCHEMA}.review_question.version_id", f"{SCHEMA}.review_question.question_id"],
        ),
        Index("ix_review_mark_latest", "version_id", "question_id", "reviewer", "id"),
    )

    id: Mapped[Key]
    version_id: Mapped[int] = mapped_column(BigInteger)
    question_id: Mapped[str]
    reviewer: Mapped[str]
    mark: Mapped[str]
    note: Mapped[str]
    loaded_at: Mapped[datetime]
