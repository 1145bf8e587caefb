"""Snapshots that are cut out of others along a region."""

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "snapshot",
        sa.Column("parent_id", sa.BigInteger(), comment="of a cut: the snapshot that it was cut out of"),
        schema="trigpoint",
    )
    op.add_column(
        "snapshot",
        sa.Column("boundary", sa.Text(), comment="of a cut: the region that it was cut along, e.g. r62422"),
        schema="trigpoint",
    )
    op.alter_column(
        "snapshot",
        "checksum",
        existing_type=sa.Text(),
        existing_nullable=False,
        comment="SHA-256 of the extract; of a cut, of its parent's and its edge",
        existing_comment="SHA-256 of the extract",
        schema="trigpoint",
    )
    op.create_foreign_key(
        op.f("fk_snapshot_parent_id_snapshot"),
        "snapshot",
        "snapshot",
        ["parent_id"],
        ["id"],
        source_schema="trigpoint",
        referent_schema="trigpoint",
    )
    op.create_check_constraint(
        op.f("ck_snapshot_cut"), "snapshot", "(parent_id is null) = (boundary is null)", schema="trigpoint"
    )
    op.execute("grant select (parent_id, boundary) on trigpoint.snapshot to trigpoint_api")


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: cuts have no place in the state before.")
