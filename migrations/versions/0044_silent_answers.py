"""An answer that is sent in and says that the model does not know is silent, as it is in a run that is asked here."""

import sqlalchemy as sa
from alembic import op

revision: str = "0044"
down_revision: str | None = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "submission_answer",
        sa.Column(
            "silent",
            sa.Boolean(),
            nullable=False,
            server_default=sa.false(),
            comment="says nothing, or that the model does not know",
        ),
        schema="trigpoint",
    )
    op.execute("grant insert (silent) on trigpoint.submission_answer to trigpoint_api")


def downgrade() -> None:
    op.drop_column("submission_answer", "silent", schema="trigpoint")
