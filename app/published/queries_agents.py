"""The statements that add the figures of episodes up; row-level security leaves out hidden questions."""

from sqlalchemy import text

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
