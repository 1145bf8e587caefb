"""The view of agents' runs counts the two ends that only episodes of `georover` have."""

from alembic import op

revision: str = "0069"
down_revision: str | None = "0068"
branch_labels = None
depends_on = None

CAPS = ("step_limit", "token_limit", "money_limit", "time_limit", "loop")
ERRORS = ("gold_not_used", "wrong_place", "invented_argument", "result_contradicted", "unreadable")
MORE = {
    "call_limit": "number of episodes that ended because all calls of tools were used up; only agents of georover",
    "unusable_replies": "number of episodes that ended because three replies in a row were neither a call nor an answer; only agents of georover",
}
VIEW = f"""
create or replace view trigpoint.bi_agent as
select
    run.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    run.id as run_id,
    run.label,
    run.solver,
    run.presentation -> 'agent' ->> 'tools' as tool_set,
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
    count(*) filter (where '{error}' = any(episode_figures.errors)) as {error}''' for error in ERRORS)[1:]},
{",".join(f'''
    count(*) filter (where episode_figures.ended_by = '{cap}') as ended_by_{cap}''' for cap in MORE)[1:]}
from trigpoint.episode_figures
inner join trigpoint.run on episode_figures.run_id = run.id
inner join trigpoint.dataset_version on run.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and run.status <> 'cancelled'
    and dataset_version.dataset_id not in (
        select imported_dataset.dataset_id
        from trigpoint.imported_dataset
        where imported_dataset.opened_at is null
    )
group by dataset.id, dataset_version.id, run.id
"""


def upgrade() -> None:
    op.execute(VIEW)
    for cap, said in MORE.items():
        op.execute(f"comment on column trigpoint.bi_agent.ended_by_{cap} is '{said}'")


def downgrade() -> None:
    """The columns stay: tools of before leave out what they do not know."""
