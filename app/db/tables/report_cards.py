"""Report cards: which suite is asked of which endpoint on which map, how far that is, and the runs that answer."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class ReportCard(Base):
    """A report card. Each stage is committed: whoever asks for the same card again goes on from there."""

    __tablename__ = "report_card"
    __table_args__ = (CheckConstraint("state in ('begun', 'generated', 'started')", name="state"),)

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(comment="what it is called: suite, endpoint and map")
    request_hash: Mapped[str] = mapped_column(
        unique=True, comment="of suite, endpoint and map: the same request is the same card"
    )
    suite: Mapped[str] = mapped_column(comment="the suite's name")
    suite_hash: Mapped[str] = mapped_column(comment="of the suite's content")
    definition: Mapped[dict[str, Any]] = mapped_column(comment="the suite as it was read")
    endpoint: Mapped[str] = mapped_column(comment="the name of the stored endpoint")
    judge: Mapped[str | None] = mapped_column(
        comment="the name of the stored endpoint that judges; null: none"
    )
    snapshot: Mapped[str] = mapped_column(comment="NAME@TIMESTAMP of the map")
    state: Mapped[str] = mapped_column(
        server_default="begun",
        comment="the last stage that is done: the map is there, the questions are made, the runs are started",
    )
    error: Mapped[str | None] = mapped_column(comment="why the last try failed, in words; null: it did not")
    created_at: Mapped[datetime]


class ReportCardEntry(Base):
    """An entry of the card's suite: the version that it asks and the run that answers, or why it was left out."""

    __tablename__ = "report_card_entry"
    __table_args__ = (
        CheckConstraint("left_out is null or run_id is null", name="left_out_has_no_run"),
        UniqueConstraint("card_id", "place"),
    )

    card_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.report_card.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(primary_key=True, comment="the entry of the suite, BENCHMARK/SOLVER")
    place: Mapped[int] = mapped_column(comment="its place in the suite, from 0")
    benchmark: Mapped[str]
    solver: Mapped[str]
    tool_set: Mapped[str | None] = mapped_column(comment="null: the solver calls no tools")
    version_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.dataset_version.id", ondelete="SET NULL"), index=True
    )
    run_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.run.id", ondelete="SET NULL"), index=True
    )
    left_out: Mapped[str | None] = mapped_column(comment="why nothing is asked, in a sentence")
