"""Questions that others published, answered again from maps that are imported here: what each map says of each."""

import sqlalchemy as sa
from alembic import op

revision: str = "0067"
down_revision: str | None = "0066"
branch_labels = None
depends_on = None

GRANTS = """
grant select on trigpoint.question_on_map to trigpoint_api, trigpoint_maintainer;
grant select, insert, update, delete on trigpoint.question_on_map to trigpoint_worker;
alter table trigpoint.question_on_map enable row level security;
create policy ours on trigpoint.question_on_map to trigpoint_worker, trigpoint_maintainer
    using (true) with check (true);
create policy open_data_sets_only on trigpoint.question_on_map for select to trigpoint_api using (
    version_id in (select dataset_version.id from trigpoint.dataset_version)
)
"""


def upgrade() -> None:
    op.create_table(
        "question_on_map",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False, comment="name@timestamp; it may be dropped"),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("working", sa.Text(), nullable=False, comment="the answer of the map in words, or why there is none"),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "outcome in ('agrees still', 'changed', 'object gone', 'not matched')",
            name=op.f("ck_question_on_map_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.question.version_id", "trigpoint.question.id"],
            name=op.f("fk_question_on_map_version_id_question"),
            ondelete="CASCADE",
            deferrable=True,
            initially="IMMEDIATE",
        ),
        sa.PrimaryKeyConstraint("version_id", "snapshot", "question_id", name=op.f("pk_question_on_map")),
        schema="trigpoint",
    )
    op.execute(GRANTS)


def downgrade() -> None:
    op.drop_table("question_on_map", schema="trigpoint")
