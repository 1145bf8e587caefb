"""A question may stand on more than one map: its first stays in its row, the others have rows here.

Questions of versions made before have no such row. They stand on one map each, and published versions never change.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0047"
down_revision: str | None = "0046"
branch_labels = None
depends_on = None

RIGHTS = """
grant select, insert, update, delete on trigpoint.question_snapshot to trigpoint_worker;
grant select on trigpoint.question_snapshot to trigpoint_maintainer, trigpoint_api;
create trigger published_is_immutable before update or delete on trigpoint.question_snapshot
for each row execute function trigpoint.refuse_change_of_published();
create trigger published_gets_no_rows after insert on trigpoint.question_snapshot
referencing new table as added
for each statement execute function trigpoint.refuse_rows_of_published()
"""

PROMPT = "comment on column trigpoint.question.prompt is '{about}'"


def upgrade() -> None:
    op.create_table(
        "question_snapshot",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False, comment="from 1; 0 is the map in the question's row"),
        sa.Column("snapshot_id", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("position >= 1", name=op.f("ck_question_snapshot_position")),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.question.version_id", "trigpoint.question.id"],
            name=op.f("fk_question_snapshot_version_id_question_id_question"),
            ondelete="CASCADE",
            deferrable=True,
            initially="IMMEDIATE",
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"],
            ["trigpoint.snapshot.id"],
            name=op.f("fk_question_snapshot_snapshot_id_snapshot"),
        ),
        sa.PrimaryKeyConstraint("version_id", "question_id", "position", name=op.f("pk_question_snapshot")),
        schema="trigpoint",
    )
    op.execute(RIGHTS)
    op.execute(PROMPT.format(about="ordered parts: text, context, image; app.questions.prompts says their forms"))


def downgrade() -> None:
    op.execute(PROMPT.format(about="ordered parts: {type: text, text: …}"))
    op.drop_table("question_snapshot", schema="trigpoint")
