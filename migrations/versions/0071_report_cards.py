"""Report cards: a suite of benchmarks that one endpoint is asked on one map, with the runs that answer."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0071"
down_revision: str | None = "0070"
branch_labels = None
depends_on = None

GRANTS = """
grant select on trigpoint.report_card, trigpoint.report_card_entry to trigpoint_maintainer;
grant select, insert, update, delete on trigpoint.report_card, trigpoint.report_card_entry to trigpoint_worker;
"""


def upgrade() -> None:
    op.create_table(
        "report_card",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("name", sa.Text(), nullable=False, comment="what it is called: suite, endpoint and map"),
        sa.Column("request_hash", sa.Text(), nullable=False, comment="of suite, endpoint and map: the same request is the same card"),
        sa.Column("suite", sa.Text(), nullable=False, comment="the suite's name"),
        sa.Column("suite_hash", sa.Text(), nullable=False, comment="of the suite's content"),
        sa.Column("definition", postgresql.JSONB(), nullable=False, comment="the suite as it was read"),
        sa.Column("endpoint", sa.Text(), nullable=False, comment="the name of the stored endpoint"),
        sa.Column("judge", sa.Text(), nullable=True, comment="the name of the stored endpoint that judges; null: none"),
        sa.Column("snapshot", sa.Text(), nullable=False, comment="NAME@TIMESTAMP of the map"),
        sa.Column("state", sa.Text(), server_default="begun", nullable=False, comment="the last stage that is done: the map is there, the questions are made, the runs are started"),
        sa.Column("error", sa.Text(), nullable=True, comment="why the last try failed, in words; null: it did not"),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("state in ('begun', 'generated', 'started')", name=op.f("ck_report_card_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_card")),
        sa.UniqueConstraint("request_hash", name=op.f("uq_report_card_request_hash")),
        schema="trigpoint",
    )
    op.create_table(
        "report_card_entry",
        sa.Column("card_id", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False, comment="the entry of the suite, BENCHMARK/SOLVER"),
        sa.Column("place", sa.Integer(), nullable=False, comment="its place in the suite, from 0"),
        sa.Column("benchmark", sa.Text(), nullable=False),
        sa.Column("solver", sa.Text(), nullable=False),
        sa.Column("tool_set", sa.Text(), nullable=True, comment="null: the solver calls no tools"),
        sa.Column("version_id", sa.BigInteger(), nullable=True),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("left_out", sa.Text(), nullable=True, comment="why nothing is asked, in a sentence"),
        sa.CheckConstraint("left_out is null or run_id is null", name=op.f("ck_report_card_entry_left_out_has_no_run")),
        sa.ForeignKeyConstraint(["card_id"], ["trigpoint.report_card.id"], name=op.f("fk_report_card_entry_card_id_report_card"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["version_id"], ["trigpoint.dataset_version.id"], name=op.f("fk_report_card_entry_version_id_dataset_version"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["run_id"], ["trigpoint.run.id"], name=op.f("fk_report_card_entry_run_id_run"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("card_id", "key", name=op.f("pk_report_card_entry")),
        sa.UniqueConstraint("card_id", "place", name=op.f("uq_report_card_entry_card_id_place")),
        schema="trigpoint",
    )
    op.create_index(op.f("ix_report_card_entry_version_id"), "report_card_entry", ["version_id"], schema="trigpoint")
    op.create_index(op.f("ix_report_card_entry_run_id"), "report_card_entry", ["run_id"], schema="trigpoint")
    op.execute(GRANTS)


def downgrade() -> None:
    op.drop_table("report_card_entry", schema="trigpoint")
    op.drop_table("report_card", schema="trigpoint")
