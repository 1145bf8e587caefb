"""Rotations: by how many places a prediction's question had its options turned."""

import sqlalchemy as sa
from alembic import op

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "prediction",
        sa.Column(
            "rotation",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="places by which the options were turned; 0 shows them as stored",
        ),
        schema="trigpoint",
    )
    op.create_check_constraint(
        op.f("ck_prediction_rotation"), "prediction", "rotation >= 0", schema="trigpoint"
    )
    op.execute("grant select (rotation) on trigpoint.prediction to trigpoint_api")


def downgrade() -> None:
    op.drop_column("prediction", "rotation", schema="trigpoint")
