"""Schedules: which data set follows which region of the map, how often, and how far the round at hand is."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class RefreshSchedule(Base):
    """A data set that follows a region. Each stage of a round is committed: whoever comes next goes on from there."""

    __tablename__ = "refresh_schedule"
    __table_args__ = (
        CheckConstraint("stage in ('idle', 'found', 'fetched', 'imported', 'refreshed')", name="stage"),
        CheckConstraint("(stage = 'idle') = (aim is null)", name="round_has_aim"),
        CheckConstraint(
            "result in ('nothing_new', 'refreshed', 'unchanged', 'held', 'failed')", name="result"
        ),
        CheckConstraint("cadence_hours between 1 and 8784", name="cadence"),
        CheckConstraint("keep_snapshots >= 1 and keep_comparisons >= 0", name="retention"),
        CheckConstraint(
            "(window_begin is null) = (window_end is null)"
            " and (window_begin is null or (window_begin >= 0 and window_begin <= 23"
            " and window_end >= 0 and window_end <= 23 and window_begin <> window_end))",
            name="window",
        ),
    )

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(unique=True)
    dataset: Mapped[str] = mapped_column(comment="the data set's name; its newest version is refreshed")
    region: Mapped[str] = mapped_column(comment="as the server of extracts names it")
    snapshot: Mapped[str] = mapped_column(comment="the name that its maps are imported under")
    cadence_hours: Mapped[int]
    window_begin: Mapped[int | None] = mapped_column(comment="hour of the day, UTC; null: at any time")
    window_end: Mapped[int | None]
    keep_snapshots: Mapped[int]
    keep_comparisons: Mapped[int]
    runs: Mapped[list[Any]] = mapped_column(comment="[{solver, endpoint}] to continue after a refresh")
    budget_tokens: Mapped[int | None] = mapped_column(BigInteger, comment="for each of these runs")
    paused: Mapped[bool] = mapped_column(server_default="false")
    key_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="null: at the command line"
    )
    created_at: Mapped[datetime]
    due_at: Mapped[datetime] = mapped_column(comment="when a worker looks next")
    looked_at: Mapped[datetime | None]
    state_sequence: Mapped[int | None] = mapped_column(BigInteger, comment="of the source, at the last look")
    state_timestamp: Mapped[datetime | None]
    taken_timestamp: Mapped[datetime | None] = mapped_column(
        comment="the last state that was imported or held"
    )
    stage: Mapped[str] = mapped_column(server_default="idle")
    aim: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="the round at hand: {sequence, timestamp, file, snapshot}"
    )
    result: Mapped[str | None]
    told: Mapped[str | None] = mapped_column(comment="the result in words")
    well_at: Mapped[datetime] = mapped_column(comment="when a round last came to its end")
