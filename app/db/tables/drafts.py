"""Questions that maintainers write by hand, the tool calls that are their evidence, and what others answered."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class Draft(Base):
    """A question that is written by hand. What is published of it is a copy, which never changes."""

    __tablename__ = "draft"
    __table_args__ = (
        CheckConstraint(
            "state in ('writing', 'waiting', 'agreed', 'disputed', 'flagged', 'dropped')", name="state"
        ),
        Index("ix_draft_dataset", "dataset", "created_at", "id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, comment="64 random bits, hexadecimal")
    benchmark: Mapped[str]
    dataset: Mapped[str] = mapped_column(comment="the name that it is published under")
    snapshot_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.snapshot.id"), comment="the map on which its tools are called"
    )
    author_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="the first key of its author's line"
    )
    revision: Mapped[int] = mapped_column(server_default="1", comment="raised by each change")
    state: Mapped[str] = mapped_column(server_default="writing")
    class_: Mapped[str] = mapped_column("class")
    dimension: Mapped[str] = mapped_column(server_default="")
    question: Mapped[str] = mapped_column(server_default="")
    options: Mapped[list[Any]] = mapped_column(server_default="[]")
    key: Mapped[int | None] = mapped_column(
        comment="place of the right option from 0; -1: no answer; null: open"
    )
    content_hash: Mapped[str | None] = mapped_column(
        comment="of what was handed in: answers count for this alone"
    )
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]


class DraftEvidence(Base):
    """A tool's result that the context of a draft tells, with the call that gave it."""

    __tablename__ = "draft_evidence"
    __table_args__ = (Index("ix_draft_evidence_draft_id", "draft_id", "id"),)

    id: Mapped[Key]
    draft_id: Mapped[str] = mapped_column(ForeignKey(f"{SCHEMA}.draft.id"))
    tool: Mapped[str]
    arguments: Mapped[dict[str, Any]]
    snapshot_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.snapshot.id"), comment="the map that answered"
    )
    tools_version: Mapped[int]
    result_hash: Mapped[str]
    lines: Mapped[list[Any]] = mapped_column(comment="the result as the context prints it")
    newer: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True),
        comment="another result on a newer map, {snapshot_id, tools_version, result_hash, lines}",
    )
    pinned_at: Mapped[datetime]
    removed_at: Mapped[datetime | None]


class DraftAnswer(Base):
    """What a second person answered who saw no key, or what a third one decided; rows are only added."""

    __tablename__ = "draft_answer"
    __table_args__ = (
        CheckConstraint("kind in ('second', 'adjudication')", name="kind"),
        Index("ix_draft_answer_draft_id", "draft_id", "id"),
    )

    id: Mapped[Key]
    draft_id: Mapped[str] = mapped_column(ForeignKey(f"{SCHEMA}.draft.id"))
    kind: Mapped[str]
    content_hash: Mapped[str] = mapped_column(comment="of the question as it was answered")
    author_key: Mapped[int] = mapped_column(comment="the author's key when this was answered")
    key_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="the first key of its giver's line"
    )
    choice: Mapped[int | None] = mapped_column(comment="as key of draft; null: the question is dropped")
    note: Mapped[str] = mapped_column(server_default="")
    answered_at: Mapped[datetime]
