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

-- Some functions go back to the roles that run our own code.
\set trusted 'trigpoint_owner, trigpoint_worker, trigpoint_maintainer'
\ir restrict.sql

-- How many rows a table has, and how large it is, may tell of what is hidden: the planner's estimates, the counters of
-- statistics and sizes are for the roles that run our own code. Tools that draw charts ask for counters before they show
-- a table.
begin;
revoke select on pg_catalog.pg_class from public;
select format('grant select (%s) on pg_catalog.pg_class to public', string_agg(quote_ident(attname), ', ' order by attnum))
from pg_attribute
where
    attrelid = 'pg_catalog.pg_class'::regclass
    and (attnum > 0 or attname = 'tableoid')
    and attname not in ('reltuples', 'relpages', 'relallvisible', 'relallfrozen')
\gexec
grant select on pg_catalog.pg_class to trigpoint_owner, trigpoint_worker, trigpoint_maintainer;
commit;
do $$
declare
    victim regprocedure;
begin
    for victim in
        select oid::regprocedure
        from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
          and (
              (proname like 'pg\_stat\_get\_%' and proargtypes[0] = 'oid'::regtype)
              or proname in (
                  'pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size', 'pg_database_size',
                  'pg_tablespace_size'
              )
          )
    loop
        execute format('revoke execute on function %s from public', victim);
        execute format('grant execute on function %s to trigpoint_owner, trigpoint_worker, trigpoint_maintainer', victim);
        if victim::text ~ '^pg_stat_get_' then
            execute format('grant execute on function %s to trigpoint_dashboard', victim);
        end if;
    end loop;
end
$$;
