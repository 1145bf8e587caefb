"""Snapshots: one import of one extract, or a cut out of another snapshot, in a PostgreSQL schema of its own."""

from datetime import datetime
from typing import Any

from geoalchemy2 import Geometry
from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class Snapshot(Base):
    """One import or cut. Published by one UPDATE of `state`; the newest published of a name is that name's map."""

    __tablename__ = "snapshot"
    __table_args__ = (
        CheckConstraint("state in ('importing', 'held', 'published', 'failed', 'dropped')", name="state"),
        CheckConstraint("outline_source in ('poly', 'area', 'box', 'none')", name="outline_source"),
        CheckConstraint("(outline is null) = (outline_source = 'none')", name="outline_has_source"),
        CheckConstraint("(parent_id is null) = (boundary is null)", name="cut"),
        Index("ix_snapshot_published", "name", "data_timestamp", postgresql_where="state = 'published'"),
    )

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(comment="the region, e.g. helsinki")
    schema_name: Mapped[str] = mapped_column(unique=True)
    state: Mapped[str] = mapped_column(server_default="importing")
    source: Mapped[str] = mapped_column(comment="file name or URL of the extract, without folders")
    checksum: Mapped[str] = mapped_column(
        comment="SHA-256 of the extract; of a cut, of its parent's and its edge"
    )
    data_timestamp: Mapped[datetime | None] = mapped_column(comment="the map's date")
    replication_sequence: Mapped[int | None] = mapped_column(BigInteger)
    outline: Mapped[Any | None] = mapped_column(Geometry("MULTIPOLYGON", srid=4326, spatial_index=False))
    outline_source: Mapped[str] = mapped_column(server_default="none")
    layers: Mapped[dict[str, Any]] = mapped_column(
        JSONB, server_default="{}", comment="layer: {found, kept, repaired, rejected}"
    )
    layer_schema_version: Mapped[int]
    engine_versions: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")
    created_at: Mapped[datetime]
    published_at: Mapped[datetime | None]
    parent_id: Mapped[int | None] = mapped_column(
        BigInteger,
        ForeignKey(f"{SCHEMA}.snapshot.id"),
        comment="of a cut: the snapshot that it was cut out of",
    )
    boundary: Mapped[str | None] = mapped_column(
        comment="of a cut: the region that it was cut along, e.g. r62422"
    )
