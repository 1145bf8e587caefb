"""Scores of predictions, what chance would score, and the aggregates that boards show."""

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Double, ForeignKey, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
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
    __table_args__ = (
        Index(
            "ix_board_aggregate_whole",
            "profile",
            "scorer_version",
            "run_id",
            postgresql_where=text("scope = 'all'"),
        ),
    )

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"), primary_key=True)
    version_id: Mapped[int] = mapped_column(BigInteger, index=True)
    profile: Mapped[str] = mapped_column(primary_key=True)
    scope: Mapped[str] = mapped_column(primary_key=True, comment="all, or KIND:NAME, such as template:T5")
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
    components: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True),
        comment="{NAME: {mean, attempted_mean, attempted, n}} by a paper's rules; null by other rules",
    )


class RunStanding(Base):
    """What a run's row on boards says beside its scores; written whenever the run is scored."""

    __tablename__ = "run_standing"

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"), primary_key=True)
    profile: Mapped[str] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(BigInteger, index=True)
    layout: Mapped[int] = mapped_column(comment="which scopes and comparisons were written with it")
    digest: Mapped[str] = mapped_column(comment="of all that boards show of the run")
    calls: Mapped[int] = mapped_column(comment="of models, answered by the endpoint for this run")
    prompt_tokens: Mapped[int] = mapped_column(BigInteger)
    completion_tokens: Mapped[int] = mapped_column(BigInteger)
    cost: Mapped[float | None] = mapped_column(comment="null without prices")
    currency: Mapped[str | None]
    latency_median_ms: Mapped[float | None] = mapped_column(comment="of its calls; null without any")
    latency_p95_ms: Mapped[float | None] = mapped_column(
        comment="95 of 100 of its calls took at most so long; null without any"
    )
    truncated: Mapped[int] = mapped_column(
        server_default="0", comment="answers that ended because the limit on tokens was reached"
    )
    repeat_scores: Mapped[list[float] | None] = mapped_column(
        ARRAY(Double), comment="the mean of each repeat, in order; null for a single one or without a score"
    )
    reasoning_version: Mapped[int | None] = mapped_column(
        comment="version of the checker that checked the reasoning of all its answers; null until then"
    )


class RunComparison(Base):
    """Two complete runs of one version over a scope: the mean of `run_id` less that of `other_id`."""

    __tablename__ = "run_comparison"
    __table_args__ = (CheckConstraint("run_id < other_id", name="once"),)

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"), primary_key=True)
    other_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    profile: Mapped[str] = mapped_column(primary_key=True)
    scope: Mapped[str] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(BigInteger, index=True)
    scorer_version: Mapped[int]
    n: Mapped[int]
    difference: Mapped[float]
    low: Mapped[float | None] = mapped_column(
        comment="of the 95 % interval; null where nothing can be tested"
    )
    high: Mapped[float | None]
    p: Mapped[float | None] = mapped_column(comment="two-sided, before Holm's adjustment")
    detectable: Mapped[float | None] = mapped_column(comment="the smallest difference found with power 80 %")
    templates: Mapped[int] = mapped_column(comment="strata")
    places: Mapped[int] = mapped_column(comment="clusters")
    test: Mapped[int] = mapped_column(
        server_default="1", comment="the number of the test in app.scores.pairs"
    )
    new_low: Mapped[float | None] = mapped_column(
        comment="of the 95 % interval for new templates; null where there are too few templates"
    )
    new_high: Mapped[float | None]
    new_p: Mapped[float | None] = mapped_column(comment="as p, for new templates")


class EpisodeFigures(Base):
    """What an agent's episode on a public question took and what went wrong in it; made again with its score."""

    __tablename__ = "episode_figures"

    prediction_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.prediction.id", ondelete="CASCADE"), primary_key=True
    )
    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"), index=True)
    is_right: Mapped[bool] = mapped_column(comment="whether the answer is correct by the profile trigpoint")
    ended_by: Mapped[str | None] = mapped_column(comment="the cap that ended it; null if none did")
    chat_calls: Mapped[int]
    tool_calls: Mapped[int]
    failed_calls: Mapped[int] = mapped_column(comment="tool calls that were answered by an error")
    repeated_calls: Mapped[int] = mapped_column(comment="tool calls that the episode had made before")
    format_faults: Mapped[int]
    prompt_tokens: Mapped[int] = mapped_column(BigInteger)
    completion_tokens: Mapped[int] = mapped_column(BigInteger)
    tools: Mapped[dict[str, Any]] = mapped_column(comment="tool: {calls, failed, repeated}")
    errors: Mapped[list[str]] = mapped_column(
        ARRAY(Text),
        server_default="{}",
        comment="classes of app.scores.agents.errors, or of exploring_errors",
    )
    exploration: Mapped[dict[str, Any] | None] = mapped_column(
        comment="of an agent that explores: {user, tier, density, hits} and app.scores.agents.exploring.Figures"
    )


class ReasoningFigures(Base):
    """What the check of an answer's reasoning found, by a version of the checker; of public questions alone."""

    __tablename__ = "reasoning_figures"

    prediction_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.prediction.id", ondelete="CASCADE"), primary_key=True
    )
    checker_version: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.run.id", ondelete="CASCADE"), index=True)
    task: Mapped[str] = mapped_column(comment="the rubric of the question, or its template")
    checked: Mapped[int | None] = mapped_column(
        comment="stated steps that could be checked; null if the check itself failed"
    )
    unchecked: Mapped[int] = mapped_column(comment="stated numbers and claims that could not be checked")
    broken_step: Mapped[str | None] = mapped_column(comment="the step that broke first; null if none did")
    broken_class: Mapped[str | None] = mapped_column(comment="how it fails (app.scores.reasoning)")
    is_cut: Mapped[bool] = mapped_column(comment="whether the answer was too long to be read to its end")
