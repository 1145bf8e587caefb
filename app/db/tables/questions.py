"""Templates, data sets, their versions, questions, and the truth behind them (gold, proof, footprint, lineage).

Gold, proof and footprint are tables of their own so that row-level security can hide them.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from geoalchemy2 import Geometry
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import SCHEMA, Base, Key


def _question_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["version_id", "question_id"],
        [f"{SCHEMA}.question.version_id", f"{SCHEMA}.question.id"],
        ondelete="CASCADE",
        deferrable=True,
        initially="IMMEDIATE",
    )


class Template(Base):
    """A template as it stood when it made questions; a changed file needs a new version."""

    __tablename__ = "template"
    __table_args__ = (UniqueConstraint("benchmark", "name", "version", "body_hash"),)

    id: Mapped[Key]
    benchmark: Mapped[str]
    name: Mapped[str]
    version: Mapped[int]
    body_hash: Mapped[str]
    header: Mapped[dict[str, Any]]
    body: Mapped[str]


class Dataset(Base):
    """A name under which versions are published."""

    __tablename__ = "dataset"

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(unique=True)
    benchmark: Mapped[str]
    created_at: Mapped[datetime]


class DatasetSecret(Base):
    """What wrong options of a data set with hidden questions are drawn from; row-level security hides it like gold."""

    __tablename__ = "dataset_secret"

    dataset_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.dataset.id"), primary_key=True)
    secret: Mapped[str]
    created_at: Mapped[datetime]


class ImportedDataset(Base):
    """A data set that others published. Nobody has proved it; only maintainers see it until one of them opens it."""

    __tablename__ = "imported_dataset"
    __table_args__ = (
        CheckConstraint("(opened_at is null) = (opened_under is null)", name="opened_under_a_licence"),
    )

    dataset_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.dataset.id"), primary_key=True)
    format: Mapped[str] = mapped_column(comment="of the files that it was loaded from")
    notes: Mapped[dict[str, Any]] = mapped_column(comment="{fault of the files: questions that have it}")
    opened_at: Mapped[datetime | None] = mapped_column(comment="null: only maintainers see it")
    opened_under: Mapped[str | None] = mapped_column(
        comment="the licence that the maintainer named who opened it"
    )


class QuestionRecheck(Base):
    """What became of the key of a question that others published, computed again from the question alone."""

    __tablename__ = "question_recheck"
    __table_args__ = (
        CheckConstraint("verdict in ('agrees', 'contradicts', 'cannot be checked')", name="verdict"),
        _question_key(),
    )

    version_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    verdict: Mapped[str]
    check_name: Mapped[str] = mapped_column(comment="the kind of the computation")
    working: Mapped[str] = mapped_column(comment="the computation in words, or why there is none")
    fault: Mapped[str | None] = mapped_column(
        comment="what is wrong with the question, whatever its key is worth"
    )
    is_flagged: Mapped[bool] = mapped_column(comment="whether boards can leave the question out")
    checked_at: Mapped[datetime]


class QuestionOnMap(Base):
    """What a map that is imported here says of a question that others published."""

    __tablename__ = "question_on_map"
    __table_args__ = (
        CheckConstraint(
            "outcome in ('agrees still', 'changed', 'object gone', 'not matched')", name="outcome"
        ),
        _question_key(),
    )

    version_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    snapshot: Mapped[str] = mapped_column(primary_key=True, comment="name@timestamp; it may be dropped")
    question_id: Mapped[str] = mapped_column(primary_key=True)
    outcome: Mapped[str]
    working: Mapped[str] = mapped_column(comment="the answer of the map in words, or why there is none")
    checked_at: Mapped[datetime]


class DatasetVersion(Base):
    """One immutable issue of a data set; a trigger refuses changes once `state` is published."""

    __tablename__ = "dataset_version"
    __table_args__ = (
        UniqueConstraint("dataset_id", "number"),
        CheckConstraint("state in ('building', 'published')", name="state"),
        CheckConstraint("hidden_fraction >= 0 and hidden_fraction <= 1", name="hidden_fraction"),
    )

    id: Mapped[Key]
    dataset_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.dataset.id"))
    number: Mapped[int]
    state: Mapped[str] = mapped_column(server_default="building")
    seed: Mapped[int] = mapped_column(BigInteger)
    hidden_fraction: Mapped[float]
    recipe: Mapped[dict[str, Any]] = mapped_column(comment="all that is needed to make the version again")
    templates: Mapped[dict[str, Any]] = mapped_column(
        comment="template: {version, capacity, accepted, refused}"
    )
    engine_versions: Mapped[dict[str, Any]]
    licence: Mapped[dict[str, Any]]
    canary: Mapped[UUID]
    created_at: Mapped[datetime]
    published_at: Mapped[datetime | None]


class DatasetSnapshot(Base):
    """The maps that a version stands on, in order."""

    __tablename__ = "dataset_snapshot"

    version_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.dataset_version.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    snapshot_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.snapshot.id"))


class Question(Base):
    """What is asked. Text and options are public; `revision` never leaves the database."""

    __tablename__ = "question"
    __table_args__ = (
        CheckConstraint("split in ('public', 'hidden')", name="split"),
        UniqueConstraint("version_id", "position"),
        Index("ix_question_id", "id"),
        Index("ix_question_revision", "revision"),
        Index("ix_question_template", "version_id", "template", "position"),
        Index("ix_question_snapshot", "version_id", "snapshot_id", "position"),
        Index(
            "ix_question_images",
            text("jsonb_path_query_array(prompt, '$[*].sha256')"),
            postgresql_using="gin",
            postgresql_where=text("prompt @? '$[*].sha256'"),
        ),
    )

    version_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.dataset_version.id", ondelete="CASCADE"), primary_key=True
    )
    id: Mapped[str] = mapped_column(
        primary_key=True, comment="hash of benchmark, template, variant and parameters by OSM id"
    )
    position: Mapped[int]
    template_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.template.id"))
    template: Mapped[str]
    template_version: Mapped[int]
    variant: Mapped[str] = mapped_column(server_default="default")
    snapshot_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.snapshot.id"), comment="null: the question was published by others, with no map"
    )
    prompt: Mapped[list[Any]] = mapped_column(
        JSONB, comment="ordered parts: text, context, image; app.questions.prompts says their forms"
    )
    options: Mapped[list[Any] | None] = mapped_column(JSONB(none_as_null=True))
    answer_type: Mapped[str]
    scorer: Mapped[str]
    split: Mapped[str]
    locale: Mapped[str]
    phrasing: Mapped[int]
    prompt_hash: Mapped[str]
    revision: Mapped[str] = mapped_column(comment="hash of prompt hash and gold")
    register: Mapped[str | None] = mapped_column(
        comment="precise or everyday; null in versions made before there were registers"
    )
    names: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="{form: local, en or both, script}; null in versions made before"
    )
    popularity: Mapped[list[Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="[{wikidata, tags}] of the objects that the question names"
    )


class QuestionSnapshot(Base):
    """A map that a question stands on beside its first, which is in the question's row."""

    __tablename__ = "question_snapshot"
    __table_args__ = (_question_key(), CheckConstraint("position >= 1", name="position"))

    version_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(
        primary_key=True, comment="from 1; 0 is the map in the question's row"
    )
    snapshot_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.snapshot.id"))


class Gold(Base):
    """An accepted answer under a key; one key a question is the default."""

    __tablename__ = "gold"
    __table_args__ = (
        _question_key(),
        CheckConstraint("kind in ('value', 'unanswerable')", name="kind"),
        Index("uq_gold_default", "version_id", "question_id", unique=True, postgresql_where="is_default"),
        Index(
            "ix_gold_places",
            text("trigpoint.places_of_gold(value)"),
            postgresql_using="gist",
            postgresql_where=text("is_default and value @? '$.objects[*].lon'"),
        ),
    )

    version_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True, server_default="default")
    is_default: Mapped[bool]
    kind: Mapped[str] = mapped_column(server_default="value")
    value: Mapped[dict[str, Any]]


class Proof(Base):
    """Why the gold is right and each wrong option wrong."""

    __tablename__ = "proof"
    __table_args__ = (
        _question_key(),
        CheckConstraint("kind in ('sql', 'program', 'imported', 'evidence')", name="kind"),
    )

    version_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    sql: Mapped[str]
    binds: Mapped[dict[str, Any]]
    derive: Mapped[str] = mapped_column(comment="the pure function that makes gold of the rows")
    parameters: Mapped[dict[str, Any]] = mapped_column(
        comment="typed parameters; all that the second path is told"
    )
    snapshots: Mapped[list[Any]] = mapped_column(comment="region@timestamp and checksum")
    evidence: Mapped[list[Any]] = mapped_column(comment="{layer, osm_key, version, content_hash}")
    margin: Mapped[dict[str, Any]]
    distractors: Mapped[list[Any] | None] = mapped_column(JSONB(none_as_null=True))
    second_path: Mapped[dict[str, Any]] = mapped_column(
        comment="the second path's answer when the version was made"
    )
    readings: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True),
        comment="{matter: names, told: lon and lat by osm_key, reach in metres}; null in versions made before",
    )


class Solution(Base):
    """What leads to a question's answer; hidden from everybody who serves outsiders."""

    __tablename__ = "solution"
    __table_args__ = (_question_key(),)

    version_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True, comment="tool_plan, context_lines, drawing, graph …")
    value: Mapped[Any] = mapped_column(JSONB)


class Footprint(Base):
    """Where and by what a change of the map could change a question."""

    __tablename__ = "footprint"
    __table_args__ = (
        _question_key(),
        Index("ix_footprint_area", "area", postgresql_using="gist"),
    )

    version_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    area: Mapped[Any | None] = mapped_column(Geometry("GEOMETRY", srid=4326, spatial_index=False))
    classes: Mapped[list[str]] = mapped_column(ARRAY(Text), comment="layer:class")
    osm_keys: Mapped[list[str]] = mapped_column(ARRAY(Text))
    name_keys: Mapped[list[str]] = mapped_column(ARRAY(Text), comment="names that must stay unique")
    fact_ids: Mapped[list[str]] = mapped_column(ARRAY(Text))
    uses_outline: Mapped[bool]


class Lineage(Base):
    """What became of a question from one version to the next."""

    __tablename__ = "lineage"
    __table_args__ = (
        CheckConstraint(
            "outcome in ('kept', 'updated', 'retired', 'replaced', 'added', 'voided', 'corrected')",
            name="outcome",
        ),
        CheckConstraint("origin in ('refresh', 'erratum')", name="origin"),
        Index("ix_lineage_from", "from_version_id", "from_question_id"),
        Index("ix_lineage_to", "to_version_id", "to_question_id"),
    )

    id: Mapped[Key]
    to_version_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.dataset_version.id", ondelete="CASCADE"))
    to_question_id: Mapped[str | None]
    from_version_id: Mapped[int | None] = mapped_column(ForeignKey(f"{SCHEMA}.dataset_version.id"))
    from_question_id: Mapped[str | None]
    outcome: Mapped[str]
    reason: Mapped[str | None]
    origin: Mapped[str] = mapped_column(server_default="refresh", comment="what made the later version")
    dispute_id: Mapped[int | None] = mapped_column(ForeignKey(f"{SCHEMA}.dispute.id"))
