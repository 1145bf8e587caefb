"""How model-written SQL went, on boards: the api role sees sums, and no prediction of a hidden question."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "board_aggregate",
        sa.Column(
            "sql",
            postgresql.JSONB(),
            nullable=True,
            comment="{statements, valid, timeouts, refused, kinds}; null where a run's solver runs none",
        ),
        schema="trigpoint",
    )
    op.execute("grant select (sql) on trigpoint.board_aggregate to trigpoint_api")


def downgrade() -> None:
    op.drop_column("board_aggregate", "sql", schema="trigpoint")
