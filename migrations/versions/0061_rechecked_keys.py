"""Keys of questions that others published, computed again from the questions: what became of each."""

import sqlalchemy as sa
from alembic import op

revision: str = "0061"
down_revision: str | None = "0059"
branch_labels = None
depends_on = None

GRANTS = """
grant select on trigpoint.question_recheck to trigpoint_api, trigpoint_maintainer;
grant select, insert, update, delete on trigpoint.question_recheck to trigpoint_worker;
alter table trigpoint.question_recheck enable row level security;
create policy ours on trigpoint.question_recheck to trigpoint_worker, trigpoint_maintainer
    using (true) with check (true);
create policy open_data_sets_only on trigpoint.question_recheck for select to trigpoint_api using (
    version_id in (select dataset_version.id from trigpoint.dataset_version)
)
"""


def upgrade() -> None:
    op.create_table(
        "question_recheck",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("check_name", sa.Text(), nullable=False, comment="the kind of the computation"),
        sa.Column("working", sa.Text(), nullable=False, comment="the computation in words, or why there is none"),
        sa.Column("fault", sa.Text(), nullable=True, comment="what is wrong with the question, whatever its key is worth"),
        sa.Column("is_flagged", sa.Boolean(), nullable=False, comment="whether boards can leave the question out"),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("verdict in ('agrees', 'contradicts', 'cannot be checked')", name=op.f("ck_question_recheck_verdict")),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.question.version_id", "trigpoint.question.id"],
            name=op.f("fk_question_recheck_version_id_question"),
            ondelete="CASCADE",
            deferrable=True,
            initially="IMMEDIATE",
        ),
        sa.PrimaryKeyConstraint("version_id", "question_id", name=op.f("pk_question_recheck")),
        schema="trigpoint",
    )
    op.execute(GRANTS)


def downgrade() -> None:
    op.drop_table("question_recheck", schema="trigpoint")
