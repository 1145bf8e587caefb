"""Snapshots say which of their places were planted: invented by `trigpoint plant`, and not of OpenStreetMap."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0066"
down_revision = "0065"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "snapshot",
        sa.Column(
            "planted",
            JSONB(),
            nullable=False,
            server_default="{}",
            comment="class: number of its points that `trigpoint plant` invented",
        ),
        schema="trigpoint",
    )
    op.execute("grant select (planted) on trigpoint.snapshot to trigpoint_api")


def downgrade() -> None:
    op.drop_column("snapshot", "planted", schema="trigpoint")
