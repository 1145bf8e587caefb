"""Runs that are paused, have a budget, keep account of their tokens, ask a sample, or reuse answers."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0015"
down_revision: str | None = "0013"
branch_labels = None
depends_on = None

COUNTERS = {
    "spent_prompt": "tokens of all calls, as the endpoint counted them, else as reckoned",
    "spent_completion": "tokens of all answers, likewise",
    "reserved_prompt": "reckoned tokens of the calls in flight",
    "reserved_completion": "most tokens that their answers may have",
}
STATUSES = "'queued', 'running', 'complete', 'incomplete', 'cancelled'"
BACKFILL = """
update trigpoint.run
set spent_prompt = counted.prompt, spent_completion = counted.completion
from (
    select
        run_id,
        coalesce(sum(greatest(0, least(1e9, round(cast(usage ->> 'prompt_tokens' as numeric)))))
            filter (where jsonb_typeof(usage -> 'prompt_tokens') = 'number'), 0) as prompt,
        coalesce(sum(greatest(0, least(1e9, round(cast(usage ->> 'completion_tokens' as numeric)))))
            filter (where jsonb_typeof(usage -> 'completion_tokens') = 'number'), 0) as completion
    from trigpoint.step
    where kind = 'chat'
    group by run_id
) as counted
where run.id = counted.run_id
"""


def run_columns() -> list[sa.Column[Any]]:
    counters = [
        sa.Column(name, sa.BigInteger(), server_default="0", nullable=False, comment=comment)
        for name, comment in COUNTERS.items()
    ]
    return [
        *counters,
        sa.Column("budget", postgresql.JSONB(), comment="{tokens, money}: what its calls may take"),
        sa.Column("pause_reason", sa.Text(), comment="request: somebody asked; budget: it did not suffice"),
        sa.Column("sample", postgresql.ARRAY(sa.Text()), comment="the questions it asks; null for all"),
        sa.Column(
            "reuse",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="whether answers to identical calls of earlier runs are copied",
        ),
    ]


def step_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("reserved_prompt", sa.Integer(), comment="while in flight: reckoned tokens of the prompt"),
        sa.Column("reserved_completion", sa.Integer(), comment="while in flight: most tokens of the answer"),
        sa.Column("reused_from", sa.BigInteger(), comment="the step of an earlier run whose answer this is"),
    ]


def upgrade() -> None:
    for column in run_columns():
        op.add_column("run", column, schema="trigpoint")
    for column in step_columns():
        op.add_column("step", column, schema="trigpoint")
    op.drop_constraint(op.f("ck_run_status"), "run", schema="trigpoint")
    op.create_check_constraint(
        op.f("ck_run_status"), "run", f"status in ({STATUSES}, 'paused')", schema="trigpoint"
    )
    op.create_check_constraint(
        op.f("ck_run_paused_says_why"),
        "run",
        "(status = 'paused') = (pause_reason is not null)",
        schema="trigpoint",
    )
    op.execute(BACKFILL)
    op.execute("grant select (sample, reuse, pause_reason) on trigpoint.run to trigpoint_api")
    op.execute("grant select (reused_from) on trigpoint.step to trigpoint_api")


def downgrade() -> None:
    op.execute("update trigpoint.run set status = 'cancelled', pause_reason = null where status = 'paused'")
    op.drop_constraint(op.f("ck_run_paused_says_why"), "run", schema="trigpoint")
    op.drop_constraint(op.f("ck_run_status"), "run", schema="trigpoint")
    op.create_check_constraint(op.f("ck_run_status"), "run", f"status in ({STATUSES})", schema="trigpoint")
    for column in step_columns():
        op.drop_column("step", column.name, schema="trigpoint")
    for column in run_columns():
        op.drop_column("run", column.name, schema="trigpoint")
