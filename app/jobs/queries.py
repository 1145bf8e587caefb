"""The statements of jobs. The time is always the bind `now`."""

from sqlalchemy import text

INSERT_JOB = text("""
insert into job (kind, arguments, key_id, created_at)
values (:kind, cast(:arguments as jsonb), :key_id, :now)
returning id
""")

_JOB = """
select
    job.id,
    job.kind,
    job.arguments,
    job.state,
    job.attempt,
    job.progress,
    job.result,
    job.error,
    job.created_at,
    job.started_at,
    job.cancel_asked_at,
    job.finished_at,
    api_key.prefix as key
from job
left join api_key on job.key_id = api_key.id
"""

READ_JOB = text(
    _JOB
    + """
where job.id = :job_id
"""
)

LIST_JOBS = text(
    _JOB
    + """
where job.id < :before
order by job.id desc
limit :limit
"""
)

KINDS_WAITING = text("""
select distinct kind
from job
where
    kind = any(:kinds)
    and (state = 'waiting' or (state = 'running' and deadline < :now))
""")

CLAIM_JOB = text("""
with next as (
    select job.id
    from job
    where
        job.attempt < :most
        and job.kind = any(:kinds)
        and (job.state = 'waiting' or (job.state = 'running' and job.deadline < :now))
    order by job.id
    limit 1
    for update of job skip locked
)

update job
set
    state = 'running',
    attempt = job.attempt + 1,
    owner = :owner,
    deadline = :deadline,
    started_at = :now
from next
where job.id = next.id
returning job.id, job.kind, job.arguments, job.attempt
""")

FINISH_JOB = text("""
update job
set
    state = :state,
    result = cast(:result as jsonb),
    error = :error,
    finished_at = :now
where
    id = :job_id
    and state = 'running'
    and attempt = :attempt
""")

GIVE_UP_JOBS = text("""
update job
set
    state = case when cancel_asked_at is null then 'failed' else 'cancelled' end,
    error = case when cancel_asked_at is null then cast(:error as text) end,
    finished_at = :now
where
    state = 'running'
    and deadline < :now
    and (attempt >= :most or cancel_asked_at is not null)
""")

RENEW_JOB = text("""
update job
set
    deadline = :deadline,
    progress = coalesce(:progress, progress)
where
    id = :job_id
    and state = 'running'
    and attempt = :attempt
    and owner = :owner
returning cancel_asked_at is not null as is_cancelled
""")

HAND_BACK_JOB = text("""
update job
set
    state = 'waiting',
    attempt = attempt - 1
where
    id = :job_id
    and state = 'running'
    and attempt = :attempt
""")

CANCEL_JOB = text("""
update job
set
    cancel_asked_at = :now,
    state = case when state = 'waiting' then 'cancelled' else state end,
    finished_at = case when state = 'waiting' then :now else finished_at end
where
    id = :job_id
    and state in ('waiting', 'running')
    and cancel_asked_at is null
""")
