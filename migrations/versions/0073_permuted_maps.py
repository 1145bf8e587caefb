"""Snapshots say whether `trigpoint permute` wrote their map; endpoints keep what a model knew of canaries."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0073"
down_revision = "0072"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "snapshot",
        sa.Column(
            "permuted",
            sa.Boolean(),
            nullable=False,
            server_default="false",
            comment="whether its names or coordinates are not those of OpenStreetMap: `trigpoint permute`",
        ),
        schema="trigpoint",
    )
    op.execute("grant select (permuted) on trigpoint.snapshot to trigpoint_api")
    op.add_column(
        "endpoint",
        sa.Column(
            "canaries",
            JSONB(),
            nullable=False,
            server_default="{}",
            comment="canary: what the model said when it was asked to continue its beginning",
        ),
        schema="trigpoint",
    )
    op.execute("grant select (canaries) on trigpoint.endpoint to trigpoint_api")


def downgrade() -> None:
    op.drop_column("endpoint", "canaries", schema="trigpoint")
    op.drop_column("snapshot", "permuted", schema="trigpoint")
