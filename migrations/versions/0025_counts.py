"""What the service has to do and how far it is, in counts alone: for whoever watches it."""

from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"
branch_labels = None
depends_on = None

# Counts and ages without names, so that the api role may tell them; open work alone, which has indexes of its own.
COUNTS = """
create function trigpoint.service_counts(at_time timestamptz)
returns table (what text, state text, number bigint, oldest_seconds double precision)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
    select 'run', run.status, count(*), null::double precision
    from run
    group by run.status
    union all
    select
        'batch',
        case when batch.state = 'leased' and batch.deadline < at_time then 'expired' else batch.state end,
        count(*),
        null
    from batch
    where batch.state <> 'done'
    group by 2
    union all
    select 'question', batch.state, sum(cardinality(batch.question_ids)), null
    from batch
    where batch.state <> 'done'
    group by batch.state
    union all
    select
        'submission',
        submission.state,
        count(*),
        max(extract(epoch from at_time - submission.created_at))
            filter (where submission.state in ('waiting', 'scoring'))
    from submission
    group by submission.state
    union all
    select 'job', job.state, count(*), max(extract(epoch from at_time - job.created_at))
    from job
    where job.state in ('waiting', 'running')
    group by job.state
    union all
    select 'prediction', 'error', coalesce(sum((board_aggregate.states ->> 'error')::bigint), 0), null
    from board_aggregate
    where board_aggregate.scope = 'all' and board_aggregate.profile = 'trigpoint'
$$;
revoke execute on function trigpoint.service_counts(timestamptz) from public;
grant execute on function trigpoint.service_counts(timestamptz) to trigpoint_api, trigpoint_maintainer;
"""


def upgrade() -> None:
    op.execute(COUNTS)


def downgrade() -> None:
    op.execute("drop function trigpoint.service_counts(timestamptz)")
