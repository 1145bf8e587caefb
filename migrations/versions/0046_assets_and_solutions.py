"""Pictures that prompts show, by SHA-256, and what leads to a question's answer, which is hidden as gold is."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0046"
down_revision: str | None = "0045"
branch_labels = None
depends_on = None

ASSETS = """
create function trigpoint.refuse_change_of_asset() returns trigger
language plpgsql set search_path = trigpoint, pg_temp as $$
begin
    raise exception 'asset % is named by its content and never changes', old.sha256
        using errcode = 'integrity_constraint_violation';
end
$$;
create trigger asset_is_immutable before update or delete on trigpoint.asset
for each row execute function trigpoint.refuse_change_of_asset();
grant select, insert on trigpoint.asset to trigpoint_worker;
grant select on trigpoint.asset to trigpoint_maintainer;
grant select (sha256, media_type, size, width, height, licence, content) on trigpoint.asset to trigpoint_api;
alter table trigpoint.asset enable row level security;
create policy ours on trigpoint.asset to trigpoint_worker, trigpoint_maintainer using (true) with check (true);
create policy of_published_versions_only on trigpoint.asset for select to trigpoint_api using (
    exists (
        select 1
        from trigpoint.question
        inner join trigpoint.dataset_version on question.version_id = dataset_version.id
        where
            question.prompt @? '$[*].sha256'
            and jsonb_path_query_array(question.prompt, '$[*].sha256') ? asset.sha256
            and dataset_version.state = 'published'
    )
);
"""
SOLUTIONS = """
grant select, insert, update, delete on trigpoint.solution to trigpoint_worker;
grant select on trigpoint.solution to trigpoint_maintainer;
alter table trigpoint.solution enable row level security;
create policy ours on trigpoint.solution to trigpoint_worker, trigpoint_maintainer using (true) with check (true);
create trigger published_is_immutable before insert or update or delete on trigpoint.solution
for each row execute function trigpoint.refuse_change_of_published();
"""


def upgrade() -> None:
    op.create_table(
        "asset",
        sa.Column("sha256", sa.Text(), nullable=False, comment="of `content`, in hexadecimal"),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False, comment="bytes"),
        sa.Column("width", sa.Integer(), nullable=False, comment="pixels"),
        sa.Column("height", sa.Integer(), nullable=False, comment="pixels"),
        sa.Column("licence", sa.Text(), nullable=False, comment="who is to be named, and the licence, on one line"),
        sa.Column("content", postgresql.BYTEA(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("sha256 = encode(sha256(content), 'hex')", name=op.f("ck_asset_sha256")),
        sa.CheckConstraint("media_type in ('image/png', 'image/jpeg')", name=op.f("ck_asset_media_type")),
        sa.CheckConstraint("size = octet_length(content) and size <= 4194304", name=op.f("ck_asset_size")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_asset")),
        schema="trigpoint",
    )
    op.create_table(
        "solution",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False, comment="tool_plan, context_lines, drawing, graph …"),
        sa.Column("value", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.question.version_id", "trigpoint.question.id"],
            name=op.f("fk_solution_version_id_question_id_question"),
            ondelete="CASCADE",
            deferrable=True,
            initially="IMMEDIATE",
        ),
        sa.PrimaryKeyConstraint("version_id", "question_id", "kind", name=op.f("pk_solution")),
        schema="trigpoint",
    )
    op.create_index(
        "ix_question_images",
        "question",
        [sa.text("jsonb_path_query_array(prompt, '$[*].sha256')")],
        schema="trigpoint",
        postgresql_using="gin",
        postgresql_where=sa.text("prompt @? '$[*].sha256'"),
    )
    op.execute(ASSETS)
    op.execute(SOLUTIONS)


def downgrade() -> None:
    op.drop_index("ix_question_images", table_name="question", schema="trigpoint")
    op.drop_table("solution", schema="trigpoint")
    op.drop_table("asset", schema="trigpoint")
    op.execute("drop function trigpoint.refuse_change_of_asset()")
