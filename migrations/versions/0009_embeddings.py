"""Embeddings of texts, for the solver `rag`."""

import sqlalchemy as sa
from alembic import op

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels = None
depends_on = None

RIGHTS = """
grant select, insert on trigpoint.embedding to trigpoint_worker;
grant select on trigpoint.embedding to trigpoint_maintainer;
"""


def upgrade() -> None:
    op.create_table(
        "embedding",
        sa.Column("endpoint_id", sa.BigInteger(), nullable=False),
        sa.Column("text_hash", sa.Text(), nullable=False, comment="of the text, as it was sent"),
        sa.Column("vector", sa.LargeBinary(), nullable=False, comment="of length 1, little-endian float32"),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["endpoint_id"], ["trigpoint.endpoint.id"], name=op.f("fk_embedding_endpoint_id_endpoint")
        ),
        sa.PrimaryKeyConstraint("endpoint_id", "text_hash", name=op.f("pk_embedding")),
        schema="trigpoint",
    )
    op.execute(RIGHTS)


def downgrade() -> None:
    op.drop_table("embedding", schema="trigpoint")
