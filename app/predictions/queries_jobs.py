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
    job.result,
    job.error,
    job.created_at,
    job.started_at,
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

JOBS_WAIT = text("""
select exists (
    select 1
    from job
    where
        state = 'waiting'
        or (state = 'running' and deadline < :now)
)
""")

CLAIM_JOB = text("""
with next as (
    select job.id
    from job
    where
        job.attempt < :most
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
    state = case when cast(:error as text) is null then 'done' else 'failed' end,
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
    state = 'failed',
    error = :error,
    finished_at = :now
where
    state = 'running'
    and deadline < :now
    and attempt >= :most
""")
