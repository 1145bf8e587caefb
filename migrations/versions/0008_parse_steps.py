"""Calls that parse an answer are steps of their own kind, apart from the calls that gave it."""

from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint(op.f("ck_step_kind"), "step", schema="trigpoint", type_="check")
    op.create_check_constraint(
        op.f("ck_step_kind"), "step", "kind in ('chat', 'tool', 'parse')", schema="trigpoint"
    )


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: scores may stand on these steps.")
