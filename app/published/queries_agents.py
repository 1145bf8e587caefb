"""The statements that add the figures of episodes up; row-level security leaves out hidden questions."""

from sqlalchemy import text

from app.scores.agents.exploring_errors import EXPLORING_CLASSES, LEAST_LEFT, MOST_CALLS

SUMS = text("""
select
    run.id as run,
    run.label as name,
    run.solver,
    run.presentation -> 'agent' as agent,
    run.sampling,
    run.prices,
    count(*) as episodes,
    count(*) filter (where episode_figures.is_right) as right_answers,
    sum(episode_figures.chat_calls) as chat_calls,
    sum(episode_figures.tool_calls) as tool_calls,
    sum(episode_figures.failed_calls) as failed_calls,
    sum(episode_figures.repeated_calls) as repeated_calls,
    sum(episode_figures.format_faults) as format_faults,
    sum(episode_figures.prompt_tokens) as prompt_tokens,
    sum(episode_figures.completion_tokens) as completion_tokens
from episode_figures
inner join run on episode_figures.run_id = run.id
where
    episode_figures.run_id = any(:runs)
    and run.status <> 'cancelled'
group by run.id
order by run.id
""")

BY_CALLS = text("""
select
    episode_figures.run_id as run,
    episode_figures.tool_calls,
    count(*) as episodes,
    count(*) filter (where episode_figures.is_right) as right_answers
from episode_figures
where episode_figures.run_id = any(:runs)
group by episode_figures.run_id, episode_figures.tool_calls
order by run, episode_figures.tool_calls
""")

BY_TOOL = text("""
select
    episode_figures.run_id as run,
    called.key as tool,
    sum(cast(called.value ->> 'calls' as bigint)) as calls,
    sum(cast(called.value ->> 'failed' as bigint)) as failed_calls,
    sum(cast(called.value ->> 'repeated' as bigint)) as repeated_calls
from episode_figures
cross join lateral jsonb_each(episode_figures.tools) as called
where episode_figures.run_id = any(:runs)
group by episode_figures.run_id, called.key
order by run asc, calls desc, tool asc
""")

ENDS = text("""
select
    episode_figures.run_id as run,
    episode_figures.ended_by as name,
    count(*) as episodes
from episode_figures
where
    episode_figures.run_id = any(:runs)
    and episode_figures.ended_by is not null
group by episode_figures.run_id, episode_figures.ended_by
order by run, name
""")

ERRORS = text("""
select
    episode_figures.run_id as run,
    error.name,
    count(*) as episodes
from episode_figures
cross join lateral unnest(episode_figures.errors) as error (name)
where episode_figures.run_id = any(:runs)
group by episode_figures.run_id, error.name
order by run, error.name
""")

_ERRORS = ",".join(
    f"""
    count(*) filter (where '{error}' = any(episode_figures.errors)) as {error}"""
    for error in EXPLORING_CLASSES
)
EXPLORED = text(f"""
select
    episode_figures.run_id as run,
    told.user_place,
    told.tier,
    told.density,
    count(*) as episodes,
    sum(told.hits_1) as hits_1,
    sum(told.hits_2) as hits_2,
    sum(told.hits_3) as hits_3,
    sum(told.moves) as moves,
    sum(told.calls) as calls,
    sum(told.centres) as centres,
    sum(told.implicit_moves) as implicit_moves,
    sum(told.area_km2) as area_km2,
    count(*) filter (where told.hits_3 = 0 and told.calls > {MOST_CALLS - LEAST_LEFT}) as unreached,{_ERRORS}
from episode_figures
cross join lateral (
    select
        episode_figures.exploration ->> 'user' as user_place,
        episode_figures.exploration ->> 'tier' as tier,
        episode_figures.exploration ->> 'density' as density,
        cast(episode_figures.exploration -> 'hits' ->> 0 as int) as hits_1,
        cast(episode_figures.exploration -> 'hits' ->> 1 as int) as hits_2,
        cast(episode_figures.exploration -> 'hits' ->> 2 as int) as hits_3,
        cast(episode_figures.exploration ->> 'moves' as int) as moves,
        cast(episode_figures.exploration ->> 'calls' as int) as calls,
        cast(episode_figures.exploration ->> 'centres' as int) as centres,
        cast(episode_figures.exploration ->> 'implicit_moves' as int) as implicit_moves,
        cast(episode_figures.exploration ->> 'area_km2' as double precision) as area_km2
) as told
where
    episode_figures.run_id = any(:runs)
    and episode_figures.exploration is not null
group by episode_figures.run_id, told.user_place, told.tier, told.density
order by run, told.user_place, told.tier, told.density
""")

GRAPHS = text("""
select
    episode_figures.run_id as run,
    told.graphs ->> 'source' as source,
    told.graphs ->> 'stage' as stage,
    told.graphs ->> 'rule' as rule,
    told.graphs -> 'before' as before,
    told.graphs -> 'after' as after,
    count(*) as episodes,
    count(*) filter (where episode_figures.is_right) as right_answers
from episode_figures
inner join prediction on episode_figures.prediction_id = prediction.id
cross join lateral (select prediction.detail -> 'geoflow' as graphs) as told
where
    episode_figures.run_id = any(:runs)
    and told.graphs is not null
group by
    episode_figures.run_id,
    told.graphs ->> 'source',
    told.graphs ->> 'stage',
    told.graphs ->> 'rule',
    told.graphs -> 'before',
    told.graphs -> 'after'
order by run, source, stage, rule, before, after
""")

RUNS_OF_VERSION = text("""
select run.id
from run
where
    run.version_id = :version_id
    and run.status <> 'cancelled'
    and exists (
        select 1
        from episode_figures
        where episode_figures.run_id = run.id
    )
order by run.id desc
limit :most
""")
