-- Read by bootstrap.sql and sandbox.sql while they are connected to a database; safe to run again.
-- psql variable: trusted, the roles that run our own code.

-- What a hostile statement could sleep, write, lock or configure with is taken from everybody;
-- PostGIS needs none of it. Locks and set_config go back to the roles that run our own code.
set trigpoint.trusted = :'trusted';
do $$
declare
    victim regprocedure;
    ours constant text := current_setting('trigpoint.trusted');
begin
    for victim in
        select oid::regprocedure
        from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
          and (
              proname like 'pg\_sleep%'
              or proname like 'lo\_%'
              or proname in ('loread', 'lowrite', 'set_config')
              or proname like 'pg\_advisory%'
              or proname like 'pg\_try\_advisory%'
              -- ends the work of others of its role; writes to the log; makes files; uses up numbers
              or proname in (
                  'pg_terminate_backend', 'pg_cancel_backend', 'pg_notify', 'pg_logical_emit_message',
                  'pg_export_snapshot', 'pg_current_xact_id', 'txid_current'
              )
          )
        union all
        -- tells where the rows of any table lie, without asking whether its reader may see them
        select oid::regprocedure
        from pg_proc
        where pronamespace = 'public'::regnamespace
          and proname in (
              'st_estimatedextent', 'st_findextent', '_postgis_index_extent', '_postgis_stats', '_postgis_selectivity',
              '_postgis_join_selectivity',
              -- makes as many points as it is told to, and cannot be cancelled meanwhile
              'st_generatepoints'
          )
    loop
        execute format('revoke execute on function %s from public', victim);
        if victim::text ~ 'advisory|^set_config|_backend\(|^pg_export_snapshot' then
            execute format('grant execute on function %s to %s', victim, ours);
        end if;
    end loop;
end
$$;

-- Lists of the columns of every table; none of our code reads them.
revoke select on public.geometry_columns, public.geography_columns from public;
