"""The statements of what a monitor is told: counts and ages, of a handful of rows."""

from sqlalchemy import text

COUNTS = text("""
select
    what,
    state,
    number,
    oldest_seconds
from service_counts(:now)
union all
select
    'schedule' as what,
    case
        when is_stalled then 'stalled'
        when paused then 'paused'
        when due_at <= :now then 'due'
        else 'waiting'
    end as state,
    count(*) as number,
    null as oldest_seconds
from schedule_health(:now)
group by 2
order by what, state
""")

MAP_AGES = text("""
with newest as (
    select distinct on (snapshot.name)
        snapshot.name,
        snapshot.data_timestamp
    from snapshot
    where snapshot.state = 'published'
    order by snapshot.name asc, snapshot.data_timestamp desc nulls last
),

latest as (
    select
        dataset_version.dataset_id,
        max(dataset_version.number) as number
    from dataset_version
    where dataset_version.state = 'published'
    group by dataset_version.dataset_id
),

used as (
    select
        snapshot.name,
        min(snapshot.data_timestamp) as data_timestamp
    from latest
    inner join dataset_version
        on
            latest.dataset_id = dataset_version.dataset_id
            and latest.number = dataset_version.number
    inner join dataset_snapshot on dataset_version.id = dataset_snapshot.version_id
    inner join snapshot on dataset_snapshot.snapshot_id = snapshot.id
    group by snapshot.name
)

select
    newest.name,
    extract(epoch from cast(:now as timestamptz) - newest.data_timestamp) as seconds,
    extract(epoch from cast(:now as timestamptz) - used.data_timestamp) as seconds_in_use
from newest
left join used on newest.name = used.name
where newest.data_timestamp is not null
order by newest.data_timestamp desc, newest.name asc
limit :limit
""")
