"""The statements that keep a run's account and bring it to a stand or on again. The time is always the bind `now`."""

from sqlalchemy import text

# The account: kept under the run's row lock, so that a pause and a call that is to leave never pass each other.

KEEP_ACCOUNT = text("""
update run
set
    spent_prompt = spent_prompt + :spent_prompt,
    spent_completion = spent_completion + :spent_completion,
    reserved_prompt = reserved_prompt + :reserved_prompt,
    reserved_completion = reserved_completion + :reserved_completion
where id = :run_id
returning status, budget, prices, spent_prompt, spent_completion, reserved_prompt, reserved_completion
""")

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

# Whether a commit whose connection broke was made

LOCK_ACCOUNTS = text("""
select id
from run
where id = any(cast(:run_ids as bigint[]))
order by id
for no key update
""")

ANY_IS_WRITTEN = text("""
select exists (
    select 1
    from jsonb_to_recordset(cast(:writes as jsonb)) as given (
        run_id bigint,
        question_revision text,
        presentation_key text,
        repeat int,
        ordinal int,
        attempt int,
        is_call boolean
    )
    inner join step
        on
            given.run_id = step.run_id
            and given.question_revision = step.question_revision
            and given.presentation_key = step.presentation_key
            and given.repeat = step.repeat
            and given.ordinal = step.ordinal
            and given.attempt = step.attempt
            and (given.is_call or step.state <> 'sent')
)
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
    pause_reason = 'request'
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

SET_REUSE = text("""
update run set reuse = true where id = :run_id
""")
