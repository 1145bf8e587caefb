"""Figures of agents that explore: a column beside the other figures of an episode, and a view for BI tools."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0068"
down_revision: str | None = "0067"
branch_labels = None
depends_on = None

BEFORE = "classes of app.scores.agents.errors"
NOW = "classes of app.scores.agents.errors, or of exploring_errors"
ERRORS = (
    "argument_error",
    "calls_used_up_by_repeats",
    "calls_used_up_inefficiently",
    "factual_conflation",
    "insufficient_exploration",
)
SUMS = ("moves", "calls", "centres", "implicit_moves")
VIEW = f"""
create view trigpoint.bi_agent_exploration as
select
    run.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    run.id as run_id,
    run.label,
    run.solver,
    run.presentation -> 'agent' ->> 'tools' as tool_set,
    episode_figures.exploration ->> 'tier' as tier,
    episode_figures.exploration ->> 'density' as density,
    count(*) as episodes,
{",".join(f'''
    sum(cast(episode_figures.exploration -> 'hits' ->> {rank - 1} as int)) as hits_{rank}''' for rank in (1, 2, 3))[1:]},
{",".join(f'''
    sum(cast(episode_figures.exploration ->> '{name}' as bigint)) as {name}''' for name in SUMS)[1:]},
    sum(cast(episode_figures.exploration ->> 'area_km2' as double precision)) as area_km2,
{",".join(f'''
    count(*) filter (where '{error}' = any(episode_figures.errors)) as {error}''' for error in ERRORS)[1:]}
from trigpoint.episode_figures
inner join trigpoint.run on episode_figures.run_id = run.id
inner join trigpoint.dataset_version on run.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and run.status <> 'cancelled'
    and episode_figures.exploration is not null
    and dataset_version.dataset_id not in (
        select imported_dataset.dataset_id
        from trigpoint.imported_dataset
        where imported_dataset.opened_at is null
    )
group by
    dataset.id,
    dataset_version.id,
    run.id,
    episode_figures.exploration ->> 'tier',
    episode_figures.exploration ->> 'density'
"""
ABOUT = "a run of an agent that explores: what its episodes on public questions took, by tier and density"
COMMENTS = {
    "version_id": "id of the data set version; the views review_… use the same id",
    "dataset": "the data set''s name",
    "version": "the version''s number",
    "benchmark": "the benchmark whose templates made the questions",
    "run_id": "the run",
    "label": "the name of the run on boards, as it was entered",
    "solver": "how questions are asked: georover, spiral, nearest_station …",
    "tool_set": "the name of the set of tools; null if the agent was not run by this service",
    "tier": "the smallest tier of the questions: 10 or 20 if the first station of the key is within as many km, else none",
    "density": "how dense the surroundings of the user are; null if the data set does not tell it",
    "episodes": "number of scored episodes on public questions; each repeat and rotation has its own",
    "hits_1": "number of episodes whose first station is in the key",
    "hits_2": "number of episodes of whose first two stations one is in the key",
    "hits_3": "number of episodes of whose first three stations one is in the key",
    "moves": "number of calls of Change_Current_Location",
    "calls": "number of answered calls of tools",
    "centres": "number of different points from which stations were searched, in each episode",
    "implicit_moves": "number of searches around points that nothing had told",
    "area_km2": "square kilometres that Search_Stations saw, summed over episodes",
    "argument_error": "number of misses with an invalid call or answer that was not repaired",
    "calls_used_up_by_repeats": "number of misses whose calls were used up, a quarter or more of them by repeats",
    "calls_used_up_inefficiently": "number of other misses whose calls were used up",
    "factual_conflation": "number of misses that had seen a station of the key and the place beside it",
    "insufficient_exploration": "number of all other misses",
}


def upgrade() -> None:
    op.add_column(
        "episode_figures",
        sa.Column("exploration", postgresql.JSONB(), nullable=True, comment="of an agent that explores: {user, tier, density, hits} and app.scores.agents.exploring.Figures"),
        schema="trigpoint",
    )
    op.alter_column("episode_figures", "errors", comment=NOW, existing_comment=BEFORE, schema="trigpoint")
    op.execute(VIEW)
    op.execute(f"comment on view trigpoint.bi_agent_exploration is '{ABOUT}'")
    op.execute("grant select on trigpoint.bi_agent_exploration to trigpoint_dashboard, trigpoint_maintainer")
    for column, said in COMMENTS.items():
        op.execute(f"comment on column trigpoint.bi_agent_exploration.{column} is '{said}'")


def downgrade() -> None:
    op.execute("drop view trigpoint.bi_agent_exploration")
    op.alter_column("episode_figures", "errors", comment=BEFORE, existing_comment=NOW, schema="trigpoint")
    op.drop_column("episode_figures", "exploration", schema="trigpoint")
