"""Data sets with hidden questions have a secret that wrong options are drawn from; it is hidden as gold is."""

import sqlalchemy as sa
from alembic import op

revision: str = "0035"
down_revision: str | None = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; who reads gold reads it, and nobody changes a secret that is there."""
    op.create_table(
        "dataset_secret",
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["trigpoint.dataset.id"], name=op.f("fk_dataset_secret_dataset_id_dataset")
        ),
        sa.PrimaryKeyConstraint("dataset_id", name=op.f("pk_dataset_secret")),
        schema="trigpoint",
    )
    op.execute(
        """
        grant select, insert on trigpoint.dataset_secret to trigpoint_worker;
        grant select on trigpoint.dataset_secret to trigpoint_maintainer;
        alter table trigpoint.dataset_secret enable row level security;
        create policy ours on trigpoint.dataset_secret to trigpoint_worker, trigpoint_maintainer
        using (true) with check (true);
        """
    )


def downgrade() -> None:
    """Versions that were drawn from a secret cannot be made again without it."""
    op.drop_table("dataset_secret", schema="trigpoint")
