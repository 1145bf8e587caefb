"""What changed from one snapshot to another, object by object."""

import geoalchemy2
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0020"
down_revision: str | None = "0018"
branch_labels = None
depends_on = None

RIGHTS = """
grant select on trigpoint.snapshot_comparison, trigpoint.snapshot_change to trigpoint_worker, trigpoint_maintainer;
"""


def upgrade() -> None:
    op.create_table(
        "snapshot_comparison",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("old_id", sa.BigInteger(), nullable=False),
        sa.Column("new_id", sa.BigInteger(), nullable=False),
        sa.Column(
            "counts",
            postgresql.JSONB(),
            server_default="{}",
            nullable=False,
            comment="layer: class: {old, new, changed, added, removed, moved, retagged, reshaped}",
        ),
        sa.Column(
            "figures",
            postgresql.JSONB(),
            server_default="{}",
            nullable=False,
            comment="{old, new, ground}: what the gate looks at",
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("old_id <> new_id", name=op.f("ck_snapshot_comparison_two_maps")),
        sa.ForeignKeyConstraint(
            ["old_id"],
            ["trigpoint.snapshot.id"],
            name=op.f("fk_snapshot_comparison_old_id_snapshot"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["new_id"],
            ["trigpoint.snapshot.id"],
            name=op.f("fk_snapshot_comparison_new_id_snapshot"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot_comparison")),
        sa.UniqueConstraint("old_id", "new_id", name=op.f("uq_snapshot_comparison_old_id_new_id")),
        schema="trigpoint",
    )
    op.create_table(
        "snapshot_change",
        sa.Column("comparison_id", sa.BigInteger(), nullable=False),
        sa.Column("layer", sa.Text(), nullable=False),
        sa.Column("osm_key", sa.Text(), nullable=False),
        sa.Column("kinds", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("old_class", sa.Text(), nullable=True),
        sa.Column("new_class", sa.Text(), nullable=True),
        sa.Column("classes", postgresql.ARRAY(sa.Text()), nullable=False, comment="all it had or has"),
        sa.Column("names", postgresql.ARRAY(sa.Text()), nullable=False, comment="all it had or has"),
        sa.Column(
            "area",
            geoalchemy2.types.Geometry(geometry_type="GEOMETRY", srid=4326, spatial_index=False),
            nullable=False,
            comment="the ground it had or has",
        ),
        sa.CheckConstraint(
            "kinds <> '{}' and kinds <@ array['added', 'removed', 'moved', 'retagged', 'reshaped']",
            name=op.f("ck_snapshot_change_kinds"),
        ),
        sa.CheckConstraint(
            "(old_class is null) = (kinds = array['added']) and (new_class is null) = (kinds = array['removed'])",
            name=op.f("ck_snapshot_change_classes"),
        ),
        sa.ForeignKeyConstraint(
            ["comparison_id"],
            ["trigpoint.snapshot_comparison.id"],
            name=op.f("fk_snapshot_change_comparison_id_snapshot_comparison"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("comparison_id", "layer", "osm_key", name=op.f("pk_snapshot_change")),
        schema="trigpoint",
    )
    op.create_index(
        "ix_snapshot_change_area", "snapshot_change", ["area"], schema="trigpoint", postgresql_using="gist"
    )
    op.create_index("ix_snapshot_comparison_new_id", "snapshot_comparison", ["new_id"], schema="trigpoint")
    op.execute(RIGHTS)


def downgrade() -> None:
    op.drop_table("snapshot_change", schema="trigpoint")
    op.drop_table("snapshot_comparison", schema="trigpoint")
