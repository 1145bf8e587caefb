"""Runs say how their calls are paced, and a run may be paused since its command was interrupted."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0041"
down_revision: str | None = "0040"
branch_labels = None
depends_on = None

OLD = "request: somebody asked; budget: it did not suffice"
NEW = "request: somebody asked; interrupted: the command that waited was stopped; budget: it did not suffice"


def upgrade() -> None:
    op.add_column(
        "run",
        sa.Column(
            "pace",
            postgresql.JSONB(),
            nullable=True,
            comment="{concurrency, timeout_seconds, tries}: of its calls, before what the endpoint's record says",
        ),
        schema="trigpoint",
    )
    op.execute("grant select (pace) on trigpoint.run to trigpoint_api")
    op.alter_column("run", "pause_reason", comment=NEW, existing_comment=OLD, schema="trigpoint")


def downgrade() -> None:
    op.execute("update trigpoint.run set pause_reason = 'request' where pause_reason = 'interrupted'")
    op.alter_column("run", "pause_reason", comment=OLD, existing_comment=NEW, schema="trigpoint")
    op.drop_column("run", "pace", schema="trigpoint")
