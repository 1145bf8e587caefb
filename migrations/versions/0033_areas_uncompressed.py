"""The ground of a question is stored as it is: coordinates do not get smaller, and every copy of a version tried."""

from alembic import op

revision: str = "0033"
down_revision: str | None = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table trigpoint.footprint alter column area set storage external")


def downgrade() -> None:
    op.execute("alter table trigpoint.footprint alter column area set storage main")
