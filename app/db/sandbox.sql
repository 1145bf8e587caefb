-- Run at every start of the sandbox server by its superuser with psql, before anybody else is let in; safe to run again.
-- psql variables: sandbox_password, reader_password, statements (how many of them run at once).
\set ON_ERROR_STOP on
set client_min_messages = warning;

select format('create role %I login', role)
from unnest(array['trigpoint_sandbox', 'trigpoint_reader']) as role
where not exists (select from pg_roles where rolname = role)
\gexec

-- Makes the databases and fills them. Checkpoints: what is filled need not be recovered after a crash.
alter role trigpoint_sandbox with login nosuperuser nocreaterole createdb password :'sandbox_password';
grant pg_checkpoint to trigpoint_sandbox;
-- Model-written SQL: a connection a statement, so the limit on connections is one on statements, whoever sends them.
alter role trigpoint_reader with login nosuperuser nocreaterole nocreatedb connection limit :statements
    password :'reader_password';
alter role trigpoint_reader set default_transaction_read_only = on;
alter role trigpoint_reader set statement_timeout = '30s';
alter role trigpoint_reader set temp_file_limit = '1GB';
alter role trigpoint_reader set lc_messages = 'C';

-- What databases of the sandbox are made from.
select 'create database sandbox_template encoding ''UTF8'' template template0'
where not exists (select from pg_database where datname = 'sandbox_template')
\gexec

revoke all on database postgres from public;
revoke connect on database template1 from public;
grant connect on database postgres to trigpoint_sandbox;

\connect sandbox_template
set client_min_messages = warning;

create extension if not exists postgis;
create extension if not exists btree_gist;
create extension if not exists pg_trgm;
revoke all on database sandbox_template from public;
revoke create on schema public from public;
\set trusted 'trigpoint_sandbox'
\ir restrict.sql

-- The sessions that crashed the server since then, or were ended by force: the server's log tells. Statements of
-- models are not in it (log_min_messages), and whatever goes on after a line break is indented there.
create schema if not exists sandbox;
create or replace function sandbox.crashed(since timestamptz) returns setof int
language sql stable security definer set search_path = pg_catalog set timezone = 'UTC' as $$
    select line.found[2]::int
    from pg_stat_file('server.log') as log
    cross join lateral regexp_matches(
        pg_read_file('server.log', greatest(0, log.size - 200000), 200000),
        '^(\S+ \S+ UTC) \[\d+\] LOG:  server process \(PID (\d+)\) (?:was terminated by|exited with)',
        'gn'
    ) as line (found)
    where line.found[1]::timestamptz >= since
$$;
revoke all on function sandbox.crashed from public;
grant usage on schema sandbox to trigpoint_sandbox;
grant execute on function sandbox.crashed to trigpoint_sandbox;

\connect postgres
alter database sandbox_template with is_template true;
