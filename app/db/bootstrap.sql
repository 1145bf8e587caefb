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
          )
        union all
        -- tells where the rows of any table lie, without asking whether its reader may see them
        select oid::regprocedure
        from pg_proc
        where pronamespace = 'public'::regnamespace and proname in ('st_estimatedextent', 'st_findextent')
    loop
        execute format('revoke execute on function %s from public', victim);
        if victim::text like '%advisory%' or victim::text like 'set_config%' then
            execute format('grant execute on function %s to %s', victim, ours);
        end if;
    end loop;
end
$$;
