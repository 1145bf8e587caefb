"""Scores of predictions, what chance would score, and the aggregates that boards show."""

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base


class Score(Base):
    """One prediction under one scorer version and profile; made again, it is bit-equal."""

    __tablename__ = "score"
    __table_args__ = (
        CheckConstraint("outcome in ('correct', 'wrong', 'unparseable')", name="outcome"),
        CheckConstraint("value >= 0 and value <= 1", name="value"),
    )

    prediction_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.prediction.id", ondelete="CASCADE"), primary_key=True
    )
    profile: Mapped[str] = mapped_column(primary_key=True)
    gold_key: Mapped[str] = mapped_column(primary_key=True, server_default="default")
    scorer: Mapped[str]
    scorer_version: Mapped[int] = mapped_column(primary_key=True)
    outcome: Mapped[str]
    value: Mapped[float]
    components: Mapped[dict[str, Any]] = mapped_column(comment="name: {value, maximum, attempted}")
    parsed: Mapped[dict[str, Any]] = mapped_column(comment="what the reader took the answer to be")


class Expectation(Base):
    """What a solver without knowledge would score on a version, computed and not sampled."""

    __tablename__ = "expectation"

    version_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.dataset_version.id", ondelete="CASCADE"), primary_key=True
    )
    profile: Mapped[str] = mapped_column(primary_key=True)
    scorer_version: Mapped[int] = mapped_column(primary_key=True)
    scope: Mapped[str] = mapped_column(primary_key=True, comment="all, or template:NAME")
    kind: Mapped[str] = mapped_column(
        primary_key=True, comment="chance (options only), or random (the solver's mean)"
    )
    value: Mapped[float]
    n: Mapped[int]


class BoardAggregate(Base):
    """A run's result over a scope: all that is ever shown of a hidden split."""

    __tablename__ = "board_aggregate"

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"), primary_key=True)
    version_id: Mapped[int] = mapped_column(BigInteger, index=True)
    profile: Mapped[str] = mapped_column(primary_key=True)
    scope: Mapped[str] = mapped_column(primary_key=True, comment="all, or template:NAME")
    scorer_version: Mapped[int]
    n: Mapped[int]
    score: Mapped[float | None]
    low: Mapped[float | None]
    high: Mapped[float | None]
    interval: Mapped[str] = mapped_column(comment="the method's name and level")
    states: Mapped[dict[str, Any]] = mapped_column(
        comment="{correct, wrong, unparseable, no_answer, error, missing}"
    )
    sql: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True),
        comment="{statements, valid, timeouts, refused, kinds}; null where a run's solver runs none",
    )
