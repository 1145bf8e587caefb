"""What boards say of a run beside its scores, and runs compared pair by pair."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0023"
down_revision: str | None = "0022"
branch_labels = None
depends_on = None

RIGHTS = """
grant select, insert, update, delete on trigpoint.run_standing, trigpoint.run_comparison to trigpoint_worker;
grant select on trigpoint.run_standing, trigpoint.run_comparison to trigpoint_maintainer, trigpoint_api;
"""


def upgrade() -> None:
    _say_of_scope("all, or KIND:NAME, such as template:T5", "all, or template:NAME")
    op.create_table(
        "run_standing",
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column(
            "layout",
            sa.Integer(),
            nullable=False,
            comment="which scopes and comparisons were written with it",
        ),
        sa.Column("digest", sa.Text(), nullable=False, comment="of all that boards show of the run"),
        sa.Column(
            "calls", sa.Integer(), nullable=False, comment="of models, answered by the endpoint for this run"
        ),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=True, comment="null without prices"),
        sa.Column("currency", sa.Text(), nullable=True),
        sa.Column("latency_median_ms", sa.Double(), nullable=True, comment="of its calls; null without any"),
        sa.Column("latency_p95_ms", sa.Double(), nullable=True),
        sa.Column(
            "repeat_scores",
            postgresql.ARRAY(sa.Double()),
            nullable=True,
            comment="the mean of each repeat, in order; null for a single one or without a score",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["trigpoint.run.id"], name=op.f("fk_run_standing_run_id_run"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "profile", name=op.f("pk_run_standing")),
        schema="trigpoint",
    )
    op.create_index(op.f("ix_run_standing_version_id"), "run_standing", ["version_id"], schema="trigpoint")
    op.create_table(
        "run_comparison",
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("other_id", sa.BigInteger(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("scorer_version", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("difference", sa.Double(), nullable=False),
        sa.Column(
            "low",
            sa.Double(),
            nullable=True,
            comment="of the 95 % interval; null where nothing can be tested",
        ),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("p", sa.Double(), nullable=True, comment="two-sided, before Holm's adjustment"),
        sa.Column(
            "detectable", sa.Double(), nullable=True, comment="the smallest difference found with power 80 %"
        ),
        sa.Column("templates", sa.Integer(), nullable=False, comment="clusters"),
        sa.Column("places", sa.Integer(), nullable=False, comment="clusters"),
        sa.CheckConstraint("run_id < other_id", name=op.f("ck_run_comparison_once")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["trigpoint.run.id"], name=op.f("fk_run_comparison_run_id_run"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["trigpoint.run.id"],
            name=op.f("fk_run_comparison_other_id_run"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "other_id", "profile", "scope", name=op.f("pk_run_comparison")),
        schema="trigpoint",
    )
    op.create_index(
        op.f("ix_run_comparison_version_id"), "run_comparison", ["version_id"], schema="trigpoint"
    )
    op.create_index(op.f("ix_run_comparison_other_id"), "run_comparison", ["other_id"], schema="trigpoint")
    op.execute(RIGHTS)


def downgrade() -> None:
    _say_of_scope("all, or template:NAME", "all, or KIND:NAME, such as template:T5")
    op.drop_table("run_comparison", schema="trigpoint")
    op.drop_table("run_standing", schema="trigpoint")


def _say_of_scope(comment: str, before: str) -> None:
    op.alter_column("board_aggregate", "scope", comment=comment, existing_comment=before, schema="trigpoint")
