"""Figures of agents' episodes on public questions, and the views for BI tools that count them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0059"
down_revision: str | None = "0058"
branch_labels = None
depends_on = None

GRANTS = """
grant select on trigpoint.episode_figures to trigpoint_api, trigpoint_maintainer;
grant select, insert, update, delete on trigpoint.episode_figures to trigpoint_worker;
alter table trigpoint.episode_figures enable row level security;
create policy ours on trigpoint.episode_figures to trigpoint_worker, trigpoint_maintainer
    using (true) with check (true);
create policy public_questions_only on trigpoint.episode_figures for select to trigpoint_api using (
    exists (select 1 from trigpoint.prediction where prediction.id = episode_figures.prediction_id)
);
grant select (latency_ms, finish_reason) on trigpoint.step to trigpoint_api;
grant select (prices) on trigpoint.run to trigpoint_api;
"""
# What each view has of the run, and which runs it has; figures of hidden questions are not in the table.
RUN = """
    run.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    run.id as run_id,
    run.label,
    run.solver,
    run.presentation -> 'agent' ->> 'tools' as tool_set"""
RUNS = """
from trigpoint.episode_figures
inner join trigpoint.run on episode_figures.run_id = run.id
inner join trigpoint.dataset_version on run.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id{more}
where
    dataset_version.state = 'published'
    and run.status <> 'cancelled'
    and dataset_version.dataset_id not in (
        select imported_dataset.dataset_id
        from trigpoint.imported_dataset
        where imported_dataset.opened_at is null
    )
group by dataset.id, dataset_version.id, run.id"""
CAPS = ("step_limit", "token_limit", "money_limit", "time_limit", "loop")
ERRORS = ("gold_not_used", "wrong_place", "invented_argument", "result_contradicted", "unreadable")
VIEWS = {
    "bi_agent": f"""
select{RUN},
    run.presentation -> 'agent' ->> 'manner' as manner,
    count(*) as episodes,
    count(*) filter (where episode_figures.is_right) as right_answers,
    sum(episode_figures.chat_calls) as chat_calls,
    sum(episode_figures.tool_calls) as tool_calls,
    sum(episode_figures.failed_calls) as failed_calls,
    sum(episode_figures.repeated_calls) as repeated_calls,
    sum(episode_figures.format_faults) as format_faults,
    sum(episode_figures.prompt_tokens) as prompt_tokens,
    sum(episode_figures.completion_tokens) as completion_tokens,
{",".join(f'''
    count(*) filter (where episode_figures.ended_by = '{cap}') as ended_by_{cap}''' for cap in CAPS)[1:]},
{",".join(f'''
    count(*) filter (where '{error}' = any(episode_figures.errors)) as {error}''' for error in ERRORS)[1:]}
{RUNS.format(more="")}
""",
    "bi_agent_calls": f"""
select{RUN},
    episode_figures.tool_calls,
    count(*) as episodes,
    count(*) filter (where episode_figures.is_right) as right_answers
{RUNS.format(more="")}, episode_figures.tool_calls
""",
    "bi_agent_tool": f"""
select{RUN},
    called.key as tool,
    count(*) as episodes,
    count(*) filter (where episode_figures.is_right) as right_answers,
    sum(cast(called.value ->> 'calls' as bigint)) as calls,
    sum(cast(called.value ->> 'failed' as bigint)) as failed_calls,
    sum(cast(called.value ->> 'repeated' as bigint)) as repeated_calls
{RUNS.format(more='''
cross join lateral jsonb_each(episode_figures.tools) as called''')}, called.key
""",
}
ABOUT = {
    "bi_agent": "a run with tools: what its episodes on public questions took, and what went wrong in them",
    "bi_agent_calls": "episodes of a run on public questions with the same number of tool calls",
    "bi_agent_tool": "calls of a tool in the episodes of a run on public questions",
}
COMMENTS = {
    "version_id": "id of the data set version; the views review_… use the same id",
    "dataset": "the data set''s name",
    "version": "the version''s number",
    "benchmark": "the benchmark whose templates made the questions",
    "run_id": "the run",
    "label": "the name of the run on boards, as it was entered",
    "solver": "how questions are asked: direct, text_to_sql, oracle …",
    "tool_set": "the set of tools: all, mapeval or calculator; null if the agent was not run by this service",
    "manner": "how tools are called: native, or json for actions in text",
    "episodes": "number of scored episodes on public questions; each repeat and rotation has its own",
    "right_answers": "number of episodes that end in a right answer",
    "chat_calls": "number of answered calls of the model",
    "tool_calls": "number of answered calls of tools",
    "calls": "number of answered calls of the tool",
    "tool": "the name of the tool in its set, as the model called it",
    "failed_calls": "number of tool calls that were answered by an error",
    "repeated_calls": "number of tool calls that the same episode had made before",
    "format_faults": "number of replies whose action could not be read, or only leniently",
    "prompt_tokens": "tokens of the prompts, as the endpoint counted them",
    "completion_tokens": "tokens of the replies, as the endpoint counted them",
    "ended_by_step_limit": "number of episodes that ended because the limit on calls was reached",
    "ended_by_token_limit": "number of episodes that ended because the limit on tokens was reached",
    "ended_by_money_limit": "number of episodes that ended because the limit on money was reached",
    "ended_by_time_limit": "number of episodes that ended because the limit on time was reached",
    "ended_by_loop": "number of episodes that ended because the same call was made three times",
    "gold_not_used": "number of wrong answers before which a tool had named the right place or name",
    "wrong_place": "number of wrong answers before which a search gave another place than the question is about",
    "invented_argument": "number of wrong answers before which a call named an id or a point that nothing had told",
    "result_contradicted": "number of wrong answers that the last result contradicts",
    "unreadable": "number of answers that could not be read",
}


def upgrade() -> None:
    op.create_table(
        "episode_figures",
        sa.Column("prediction_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=False, comment="whether the answer is correct by the profile trigpoint"),
        sa.Column("ended_by", sa.Text(), nullable=True, comment="the cap that ended it; null if none did"),
        sa.Column("chat_calls", sa.Integer(), nullable=False),
        sa.Column("tool_calls", sa.Integer(), nullable=False),
        sa.Column("failed_calls", sa.Integer(), nullable=False, comment="tool calls that were answered by an error"),
        sa.Column("repeated_calls", sa.Integer(), nullable=False, comment="tool calls that the episode had made before"),
        sa.Column("format_faults", sa.Integer(), nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.Column("tools", postgresql.JSONB(), nullable=False, comment="tool: {calls, failed, repeated}"),
        sa.Column("errors", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False, comment="classes of app.scores.agents.errors"),
        sa.ForeignKeyConstraint(["prediction_id"], ["trigpoint.prediction.id"], name=op.f("fk_episode_figures_prediction_id_prediction"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["trigpoint.run.id"], name=op.f("fk_episode_figures_run_id_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("prediction_id", name=op.f("pk_episode_figures")),
        schema="trigpoint",
    )
    op.create_index(op.f("ix_episode_figures_run_id"), "episode_figures", ["run_id"], schema="trigpoint")
    op.execute(GRANTS)
    for view, body in VIEWS.items():
        op.execute(f"create view trigpoint.{view} as {body}")
        op.execute(f"comment on view trigpoint.{view} is '{ABOUT[view]}'")
        op.execute(f"grant select on trigpoint.{view} to trigpoint_dashboard, trigpoint_maintainer")
    for view, column in op.get_bind().exec_driver_sql(COLUMNS, {"views": list(VIEWS)}).all():
        op.execute(f"comment on column trigpoint.{view}.{column} is '{COMMENTS[column]}'")


COLUMNS = """
select
    columns.table_name,
    columns.column_name
from information_schema.columns
where
    columns.table_schema = 'trigpoint'
    and columns.table_name = any(%(views)s)
"""


def downgrade() -> None:
    for view in reversed(VIEWS):
        op.execute(f"drop view trigpoint.{view}")
    op.drop_table("episode_figures", schema="trigpoint")
    op.execute("revoke select (latency_ms, finish_reason) on trigpoint.step from trigpoint_api")
    op.execute("revoke select (prices) on trigpoint.run from trigpoint_api")
