"""Jobs tell how far they are and can be cancelled: imports, generation, re-scores and refreshes are jobs now."""

import sqlalchemy as sa
from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"
branch_labels = None
depends_on = None

STATES = "state in ('waiting', 'running', 'done', 'failed', 'cancelled')"
STATES_BEFORE = "state in ('waiting', 'running', 'done', 'failed')"


def upgrade() -> None:
    """Add progress, the wish to cancel, and the state that it leads to."""
    op.alter_column(
        "job",
        "kind",
        comment="endpoint_check, import, generate, rescore or refresh",
        existing_comment="endpoint_check",
        schema="trigpoint",
    )
    op.add_column(
        "job",
        sa.Column("progress", sa.Text(), comment="the last line that it told of itself"),
        schema="trigpoint",
    )
    op.add_column("job", sa.Column("cancel_asked_at", sa.DateTime(timezone=True)), schema="trigpoint")
    op.drop_constraint("ck_job_state", "job", schema="trigpoint")
    op.create_check_constraint("ck_job_state", "job", STATES, schema="trigpoint")
    op.execute("grant update (progress) on trigpoint.job to trigpoint_worker")
    op.execute("grant update (state, cancel_asked_at, finished_at) on trigpoint.job to trigpoint_maintainer")


def downgrade() -> None:
    """Cancelled jobs are gone with the state."""
    op.execute("delete from trigpoint.job where state = 'cancelled'")
    op.execute(
        "revoke update (state, cancel_asked_at, finished_at) on trigpoint.job from trigpoint_maintainer"
    )
    op.drop_constraint("ck_job_state", "job", schema="trigpoint")
    op.create_check_constraint("ck_job_state", "job", STATES_BEFORE, schema="trigpoint")
    op.drop_column("job", "cancel_asked_at", schema="trigpoint")
    op.drop_column("job", "progress", schema="trigpoint")
    op.alter_column("job", "kind", comment="endpoint_check", schema="trigpoint")
