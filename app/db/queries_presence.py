"""The statements of presence.py: advisory locks of two keys, of which the second is a number of connections."""

HOLD = "select pg_advisory_lock_shared(%(kind)s::integer, %(connections)s::integer)"

# That it is asked is what counts: pg_stat_activity tells when.
RENEW = "select 1"

LIVING = """
select count(*)
from pg_locks
inner join pg_stat_activity on pg_locks.pid = pg_stat_activity.pid
where
    pg_locks.locktype = 'advisory'
    and pg_locks.objsubid = 2
    and pg_locks.granted
    and pg_locks.classid::bigint = %(kind)s
    and pg_stat_activity.datname = current_database()
    and pg_stat_activity.state_change > clock_timestamp() - make_interval(secs => %(seconds)s)
"""

ROOM = """
select
    current_setting('superuser_reserved_connections')::integer as reserved,
    (
        current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer
    ) as total,
    (
        select coalesce(sum(pg_locks.objid::bigint), 0)::integer
        from pg_locks
        where
            pg_locks.locktype = 'advisory'
            and pg_locks.objsubid = 2
            and pg_locks.granted
            and pg_locks.classid::bigint = %(kind)s
    ) as taken
"""
