"""The statements of schedules. The time is always the bind `now`."""

from sqlalchemy import text

INSERT = text("""
insert into refresh_schedule (
    name, dataset, region, snapshot, cadence_hours, window_begin, window_end, keep_snapshots, keep_comparisons, runs,
    budget_tokens, key_id, created_at, due_at, well_at
)
values (
    :name, :dataset, :region, :snapshot, :cadence_hours, :window_begin, :window_end, :keep_snapshots,
    :keep_comparisons, cast(:runs as jsonb), :budget_tokens, :key_id, :now, :now, :now
)
on conflict (name) do nothing
returning id
""")

LIST = text("""
select
    s.name,
    s.dataset,
    s.region,
    s.snapshot,
    s.cadence_hours,
    case
        when s.window_begin is not null then to_char(s.window_begin, 'FM00') || '-' || to_char(s.window_end, 'FM00')
    end as "window",
    s.keep_snapshots,
    s.keep_comparisons,
    s.runs,
    s.budget_tokens,
    s.paused,
    s.created_at,
    s.due_at,
    s.looked_at,
    s.state_sequence,
    s.state_timestamp,
    s.taken_timestamp,
    s.stage,
    s.aim,
    s.result,
    s.told,
    s.well_at,
    health.is_stalled as stalled
from refresh_schedule as s
inner join schedule_health(:now) as health on s.name = health.name
where cast(:name as text) is null or s.name = :name
order by s.name
""")

SET_PAUSED = text("""
update refresh_schedule
set paused = :paused
where
    name = :name
    and paused <> :paused
""")

REMOVE = text("delete from refresh_schedule where name = :name")

# Whoever takes these rows asks for their jobs in the same transaction: nobody else does.

DUE = text("""
select
    name,
    cadence_hours,
    window_begin,
    window_end
from refresh_schedule
where
    not paused
    and due_at <= :now
order by due_at, name
for update skip locked
""")

SET_DUE = text("update refresh_schedule set due_at = :due_at where name = :name")

OPEN_JOB = text("""
select exists(
    select 1
    from job
    where
        kind = 'refresh_schedule'
        and arguments ->> 'schedule' = :name
        and state in ('waiting', 'running')
)
""")

# One round of a region at a time, whichever schedules follow it: they share the kept extract.

LOCK = text("select pg_try_advisory_lock(hashtext('trigpoint schedule'), hashtext(:snapshot))")
UNLOCK = text("select pg_advisory_unlock(hashtext('trigpoint schedule'), hashtext(:snapshot))")

LOOKED = text("""
update refresh_schedule
set
    looked_at = :now,
    state_sequence = :sequence,
    state_timestamp = :timestamp
where name = :name
""")

GO_ON = text("""
update refresh_schedule
set
    stage = :stage,
    aim = cast(:aim as jsonb),
    taken_timestamp = coalesce(:taken, taken_timestamp)
where name = :name
""")

BEGIN_AGAIN = text("""
update refresh_schedule
set
    stage = 'idle',
    aim = null,
    taken_timestamp = :taken
where name = :name
""")

END_ROUND = text("""
update refresh_schedule
set
    stage = case when :result = 'failed' then stage else 'idle' end,
    aim = case when :result = 'failed' then aim end,
    result = :result,
    told = :told,
    looked_at = :now,
    due_at = :due_at,
    well_at = case when :result in ('refreshed', 'unchanged') then :now else well_at end
where name = :name
""")

NEWEST_MAP = text("""
select
    id,
    data_timestamp
from snapshot
where
    name = :snapshot
    and state = 'published'
order by data_timestamp desc nulls last, id desc
limit 1
""")

STANDS_ON = text("""
select exists(
    select 1
    from dataset_snapshot
    where
        version_id = :version_id
        and snapshot_id = :snapshot_id
)
""")

# The newest run of a solver at an endpoint on the data set: what it was asked with is asked on.

RUN_BEFORE = text("""
select
    run.seed,
    run.repeats,
    run.sampling
from run
inner join endpoint on run.endpoint_id = endpoint.id
inner join dataset_version as version on run.version_id = version.id
inner join dataset on version.dataset_id = dataset.id
where
    dataset.name = :dataset
    and run.solver = :solver
    and endpoint.name = :endpoint
    and run.status in ('complete', 'incomplete')
order by version.number desc, run.id desc
limit 1
""")

HEALTH = text("""
select
    name as schedule,
    dataset,
    snapshot,
    paused,
    looked_at,
    well_at,
    due_at,
    is_stalled as stalled
from schedule_health(:now)
order by name
""")
