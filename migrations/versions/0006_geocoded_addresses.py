"""Addresses of answers as a Nominatim server placed them: for those who score only."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels = None
depends_on = None

# What scores stand on is only ever added to: nobody may change or take away a place.
RIGHTS = """
grant select, insert on trigpoint.geocoded_address to trigpoint_worker;
grant select on trigpoint.geocoded_address to trigpoint_maintainer;
"""


def upgrade() -> None:
    op.create_table(
        "geocoded_address",
        sa.Column("source_url", sa.Text(), nullable=False, comment="the server's address"),
        sa.Column("address", sa.Text(), nullable=False, comment="as it was asked for"),
        sa.Column("request_url", sa.Text(), nullable=False, comment="what answered, without the query"),
        sa.Column("retrieved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lon", sa.Double(), nullable=True),
        sa.Column("lat", sa.Double(), nullable=True),
        sa.Column("result", postgresql.JSONB(), nullable=True, comment="which place the first result is"),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.CheckConstraint("(lon is null) = (lat is null)", name=op.f("ck_geocoded_address_whole_point")),
        sa.PrimaryKeyConstraint("source_url", "address", name=op.f("pk_geocoded_address")),
        schema="trigpoint",
    )
    op.execute(RIGHTS)


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: scores may stand on these places.")
