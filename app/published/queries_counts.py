"""The statements of what a monitor is told: counts and ages, of a handful of rows."""

from sqlalchemy import text

COUNTS = text("""
select
    what,
    state,
    number,
    oldest_seconds
from service_counts(:now)
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
)

select
    newest.name,
    extract(epoch from cast(:now as timestamptz) - newest.data_timestamp) as seconds
from newest
where newest.data_timestamp is not null
order by newest.data_timestamp desc, newest.name asc
limit :limit
""")
