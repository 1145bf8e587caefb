"""Snapshots: one import of one extract, or a cut out of another snapshot, in a PostgreSQL schema of its own.

And what changed from one to another, which goes with either of them.
"""

from datetime import datetime
from typing import Any

from geoalchemy2 import Geometry
from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
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
    planted: Mapped[dict[str, Any]] = mapped_column(
        JSONB, server_default="{}", comment="class: number of its points that `trigpoint plant` invented"
    )
    permuted: Mapped[bool] = mapped_column(
        server_default="false",
        comment="whether its names or coordinates are not those of OpenStreetMap: `trigpoint permute`",
    )
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
    open_for_tools: Mapped[bool] = mapped_column(
        server_default="false", comment="whether tools may be called on it over the network"
    )


class SnapshotComparison(Base):
    """Two snapshots of a region, compared once."""

    __tablename__ = "snapshot_comparison"
    __table_args__ = (
        UniqueConstraint("old_id", "new_id"),
        CheckConstraint("old_id <> new_id", name="two_maps"),
        Index("ix_snapshot_comparison_new_id", "new_id"),
    )

    id: Mapped[Key]
    old_id: Mapped[int] = mapped_column(BigInteger, ForeignKey(f"{SCHEMA}.snapshot.id", ondelete="CASCADE"))
    new_id: Mapped[int] = mapped_column(BigInteger, ForeignKey(f"{SCHEMA}.snapshot.id", ondelete="CASCADE"))
    counts: Mapped[dict[str, Any]] = mapped_column(
        JSONB,
        server_default="{}",
        comment="layer: class: {old, new, changed, added, removed, moved, retagged, reshaped}",
    )
    figures: Mapped[dict[str, Any]] = mapped_column(
        JSONB, server_default="{}", comment="{old, new, ground}: what the gate looks at"
    )
    created_at: Mapped[datetime]


class SnapshotChange(Base):
    """One object of one layer that differs between the two snapshots of a comparison."""

    __tablename__ = "snapshot_change"
    __table_args__ = (
        CheckConstraint(
            "kinds <> '{}' and kinds <@ array['added', 'removed', 'moved', 'retagged', 'reshaped']",
            name="kinds",
        ),
        CheckConstraint(
            "(old_class is null) = (kinds = array['added']) and (new_class is null) = (kinds = array['removed'])",
            name="classes",
        ),
        Index("ix_snapshot_change_area", "area", postgresql_using="gist"),
    )

    comparison_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey(f"{SCHEMA}.snapshot_comparison.id", ondelete="CASCADE"), primary_key=True
    )
    layer: Mapped[str] = mapped_column(primary_key=True)
    osm_key: Mapped[str] = mapped_column(primary_key=True)
    kinds: Mapped[list[str]] = mapped_column(ARRAY(Text))
    old_class: Mapped[str | None]
    new_class: Mapped[str | None]
    classes: Mapped[list[str]] = mapped_column(ARRAY(Text), comment="all it had or has")
    names: Mapped[list[str]] = mapped_column(ARRAY(Text), comment="all it had or has")
    area: Mapped[Any] = mapped_column(
        Geometry("GEOMETRY", srid=4326, spatial_index=False), comment="the ground it had or has"
    )
