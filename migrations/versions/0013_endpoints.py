"""Endpoints as records, what a call took and which engine answered it, and the prices that a run is reckoned with."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels = None
depends_on = None


def columns() -> dict[str, list[sa.Column[Any]]]:
    return {
        "endpoint": [
            sa.Column("revision", sa.Text(), comment="of the model, where whoever added the record names it"),
            sa.Column(
                "record",
                sa.Text(),
                comment="the name given by `endpoint add`; earlier ones are called NAME#1, …",
            ),
            sa.Column(
                "health", postgresql.JSONB(), comment="what the last check found; null before the first"
            ),
            sa.Column("checked_at", sa.DateTime(timezone=True)),
        ],
        "run": [
            sa.Column(
                "prices",
                postgresql.JSONB(),
                comment="the endpoint's when the run was made: its cost stands on them",
            ),
        ],
        "step": [
            sa.Column(
                "latency_ms", sa.Integer(), comment="from the request's leaving to the end of its answer"
            ),
            sa.Column("finish_reason", sa.Text()),
            sa.Column(
                "engine",
                sa.Text(),
                comment="as the answer names it, else as the last check of the endpoint did",
            ),
        ],
    }


def upgrade() -> None:
    for table, added in columns().items():
        for column in added:
            op.add_column(table, column, schema="trigpoint")


def downgrade() -> None:
    for table, added in columns().items():
        for column in added:
            op.drop_column(table, column.name, schema="trigpoint")
