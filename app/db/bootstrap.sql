-- Run once a database by a superuser with psql, before the first migration; safe to run again.
-- psql variables: database, owner_password, worker_password, maintainer_password, api_password,
-- reader_password, dashboard_password.
\set ON_ERROR_STOP on
set client_min_messages = warning;

select format('create role %I login', role)
from unnest(array[
    'trigpoint_owner', 'trigpoint_worker', 'trigpoint_maintainer',
    'trigpoint_api', 'trigpoint_reader', 'trigpoint_dashboard'
]) as role
where not exists (select from pg_roles where rolname = role)
\gexec

alter role trigpoint_owner with login nosuperuser nocreaterole nocreatedb password :'owner_password';
alter role trigpoint_worker with login nosuperuser nocreaterole nocreatedb password :'worker_password';
-- Workers read and write all questions, and COPY does not work under row-level security.
alter role trigpoint_worker with bypassrls;
alter role trigpoint_maintainer with login nosuperuser nocreaterole nocreatedb password :'maintainer_password';
alter role trigpoint_api with login nosuperuser nocreaterole nocreatedb password :'api_password';
alter role trigpoint_reader with login nosuperuser nocreaterole nocreatedb password :'reader_password';
alter role trigpoint_dashboard with login nosuperuser nocreaterole nocreatedb password :'dashboard_password';

alter role trigpoint_reader set default_transaction_read_only = on;
alter role trigpoint_reader set statement_timeout = '30s';
-- Model-written SQL fills no disk with its sorts, and its errors are read by their English words.
alter role trigpoint_reader set temp_file_limit = '1GB';
alter role trigpoint_reader set lc_messages = 'C';
alter role trigpoint_api set default_transaction_read_only = on;
alter role trigpoint_dashboard set default_transaction_read_only = on;

select format('create database %I owner trigpoint_owner encoding ''UTF8'' template template0', :'database')
where not exists (select from pg_database where datname = :'database')
\gexec

\connect :database
set client_min_messages = warning;

create extension if not exists postgis;
create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- Only superusers have business in the cluster's other databases, where nothing below holds.
revoke connect, temporary on database postgres from public;
revoke connect on database template1 from public;

revoke all on database :"database" from public;
grant connect on database :"database" to
    trigpoint_worker, trigpoint_maintainer, trigpoint_api, trigpoint_reader, trigpoint_dashboard;
grant create, temporary on database :"database" to trigpoint_owner;
grant temporary on database :"database" to trigpoint_worker;
revoke create on schema public from public;

-- What a hostile statement could sleep, write, lock or configure with is taken from everybody;
-- PostGIS needs none of it. Locks and set_config go back to the roles that run our own code.
do $$
declare
    victim regprocedure;
    ours constant text := 'trigpoint_owner, trigpoint_worker, trigpoint_maintainer';
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
