"""The statements that keep a run's account and bring it to a stand or on again. The time is always the bind `now`."""

from sqlalchemy import text

PAUSE_FOR_BUDGET = text("""
update run
set
    status = 'paused',
    pause_reason = 'budget'
where
    id = :run_id
    and status in ('queued', 'running')
""")

HALTED_RUNS = text("""
select id
from run
where
    id = any(cast(:run_ids as bigint[]))
    and status not in ('queued', 'running')
""")

SET_LOST_ON_ACCOUNT = text("""
update run
set
    reasked = reasked + :lost,
    spent_prompt = spent_prompt + :prompt,
    spent_completion = spent_completion + :completion,
    reserved_prompt = reserved_prompt - :prompt,
    reserved_completion = reserved_completion - :completion
where id = :run_id
""")

# What people ask of a run

LOCK_RUN = text("""
select
    run.status,
    run.pause_reason,
    run.budget,
    run.prices,
    run.endpoint_id,
    run.spent_prompt,
    run.spent_completion
from run
where run.id = :run_id
for no key update
""")

PAUSE_RUN = text("""
update run
set
    status = 'paused',
    pause_reason = :reason
where id = :run_id
""")

RESUME_RUN = text("""
update run
set
    status = 'queued',
    pause_reason = null
where id = :run_id
""")

CANCEL_RUN = text("""
update run
set
    status = 'cancelled',
    pause_reason = null,
    finished_at = :now
where id = :run_id
""")

SET_BUDGET = text("""
update run set budget = cast(:budget as jsonb) where id = :run_id
""")

SET_PACE = text("""
update run set pace = coalesce(pace, '{}') || cast(:pace as jsonb) where id = :run_id
""")

SET_REUSE = text("""
update run set reuse = true where id = :run_id
""")
