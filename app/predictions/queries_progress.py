"""The statement that says where a run stands, in one look at it. The time is always the bind `now`.

The function `progress_of_run` counts for everybody, hidden questions too: the api role sees no prediction of those.
"""

from sqlalchemy import text

RUN_PROGRESS = text("""
select
    id,
    status,
    pause_reason,
    total,
    reasked,
    label,
    solver,
    presentation,
    sample,
    finished_at,
    budget,
    prices,
    spent_prompt,
    spent_completion,
    dataset,
    answered,
    no_answer,
    error,
    lately,
    seconds,
    asked,
    in_flight,
    reused,
    retrying,
    scored
from progress_of_run(:run_id, :now)
""")

# One look at whether a worker has the run in hand, and if not, which run the workers are busy with. Runs with an
# endpoint and runs without one have places of their own in a worker, so only those of its kind are in its way.

WORKED_INSTEAD = text("""
select
    exists(
        select from batch where batch.run_id = :run_id and batch.state = 'leased'
    ) as is_worked,
    (
        select batch.run_id
        from batch
        inner join run on batch.run_id = run.id
        where
            batch.state = 'leased'
            and (run.endpoint_id is null)
            = (select own.endpoint_id is null from run as own where own.id = :run_id)
        order by batch.run_id
        limit 1
    ) as busy_with
""")

# Calls of the endpoint alone: models' SQL and a parser's calls are not among them.

REFUSALS = text("""
select
    failed.calls,
    failed.timed_out,
    newest.error as last
from (
    select
        count(*) as calls,
        count(*) filter (where starts_with(step.error, :no_answer)) as timed_out
    from step
    where
        step.run_id = :run_id
        and step.kind = 'chat'
        and step.state = 'failed'
) as failed
left join lateral (
    select step.error
    from step
    where
        step.run_id = :run_id
        and step.kind = 'chat'
        and step.state = 'failed'
    order by step.answered_at desc
    limit 1
) as newest on true
""")
