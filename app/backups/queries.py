"""Backups: every statement. Without binds, because psql runs them too; names are validated or come from the catalogue.

Where a statement gives a result, each row is one JSON text. None holds a percent sign, a colon before a name, or a
backslash: psycopg and psql would each read those in their own way.
"""

from collections.abc import Iterable

from app.db.naming import quoted

PLAIN_TEXT = """
set local search_path = '';
set local timezone = 'UTC';
set local datestyle = 'ISO, YMD';
set local intervalstyle = 'postgres';
set local bytea_output = 'hex';
set local extra_float_digits = 1;
"""
"""What makes a row the same text in every session."""

WAIT_LONG = "set local idle_in_transaction_session_timeout = 0"
WAIT_FOR_LOCK = "set local lock_timeout = '4s'"
NOTICE_DEAD_CLIENTS = "set local client_connection_check_interval = '500ms'"

PIN_SNAPSHOTS = """
select id, name, schema_name, data_timestamp
from trigpoint.snapshot
where state in ('published', 'held')
order by id
for share
"""
EXPORT_SNAPSHOT = "select pg_catalog.pg_export_snapshot()"
EXISTING_SCHEMAS = "select nspname::text from pg_catalog.pg_namespace"
PUBLISHED_VERSIONS = """
select dataset_version.id, dataset.name, dataset_version.number, dataset.benchmark
from trigpoint.dataset_version
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and dataset.id not in (select imported_dataset.dataset_id from trigpoint.imported_dataset)
    and not dataset_version.recipe ? 'written'
order by dataset.name, dataset_version.number
"""
"""The versions that are exported and proved; those of others and those written by hand are in no export."""

SERVER = """
select
    current_setting('server_version_num')::int / 10000 as major,
    current_setting('server_version') as postgresql,
    (select extversion from pg_catalog.pg_extension where extname = 'postgis') as postgis,
    array(
        select needed.name
        from unnest(array['postgis', 'btree_gist', 'pg_trgm']) as needed (name)
        where needed.name not in (select extname from pg_catalog.pg_extension)
    ) as extensions_missing,
    array(
        select needed.name
        from unnest(array[
            'trigpoint_owner', 'trigpoint_worker', 'trigpoint_maintainer',
            'trigpoint_api', 'trigpoint_reader', 'trigpoint_dashboard'
        ]) as needed (name)
        where needed.name not in (select rolname from pg_catalog.pg_roles)
    ) as roles_missing
"""

TRY_RESTORE_LOCK = (
    "select to_json(pg_try_advisory_xact_lock(hashtextextended('trigpoint restore', 0)))::text;"
)
MAP_SCHEMAS = """
select to_json(nspname::text)::text
from pg_catalog.pg_namespace
where starts_with(nspname, 'osm_') or starts_with(nspname, 'reference_')
order by nspname;
"""
LOCK_SERVICE_TABLES = """
do $$
declare
    one regclass;
begin
    for one in
        select oid
        from pg_catalog.pg_class
        where relnamespace = to_regnamespace('trigpoint') and relkind = 'r'
        order by relname
    loop
        execute 'lock table ' || one::text || ' in access exclusive mode';
    end loop;
end
$$;
"""
SERVICE_TABLES = """
select to_json(oid::regclass::text)::text
from pg_catalog.pg_class
where relnamespace = to_regnamespace('trigpoint') and relkind = 'r' and relname <> 'alembic_version'
order by relname;
"""
DROP_SERVICE_TABLES = "drop schema if exists trigpoint cascade;"
FAIL_UNFINISHED = "update trigpoint.snapshot set state = 'failed' where state = 'importing';"


def tables(schemas: Iterable[str]) -> str:
    """The tables of these schemas, each as its qualified name."""
    return f"""
select to_json(pg_class.oid::regclass::text)::text
from pg_catalog.pg_class
inner join pg_catalog.pg_namespace on pg_class.relnamespace = pg_namespace.oid
where pg_class.relkind in ('r', 'p') and pg_namespace.nspname in ({_literals(schemas)})
order by pg_namespace.nspname, pg_class.relname;
"""


def table_digest(table: str) -> str:
    """How many rows, and a sum over hashes of their texts: the same in whatever order they lie."""
    return f"""
select json_build_object(
    'rows', count(*),
    'digest', coalesce(sum(('x' || left(md5(whole_row::text), 16))::bit(64)::bigint), 0)::text
)::text
from {table} as whole_row;
"""


def tables_with_rows(names: Iterable[str]) -> str:
    """Those of the tables that are not empty."""
    return " union all ".join(
        f"select to_json('{name}'::text)::text where exists (select from {name})" for name in names
    ) + ";"  # fmt: skip


def analyze(names: Iterable[str]) -> str:
    """Statistics for the planner: a dump holds none."""
    return f"analyze {', '.join(names)};"


def structure(schemas: Iterable[str]) -> str:
    """All of these schemas but rows, as [kind, name, definition]; of rights, those of everybody but the owner."""
    return _STRUCTURE.replace("SCHEMAS", _literals(schemas))


def _literals(names: Iterable[str]) -> str:
    return ", ".join("'" + quoted(name).strip('"') + "'" for name in names)


_STRUCTURE = """
with
space as (
    select oid, nspname::text as name, nspowner as owner, nspacl as acl
    from pg_catalog.pg_namespace
    where nspname in (SCHEMAS)
),

relation as (
    select
        pg_class.oid,
        space.name || '.' || pg_class.relname as name,
        pg_class.relkind as kind,
        pg_class.relowner as owner,
        coalesce(
            pg_class.relacl,
            acldefault(case pg_class.relkind when 'S' then 's'::"char" else 'r'::"char" end, pg_class.relowner)
        ) as acl,
        pg_class.reloptions as options,
        pg_class.relrowsecurity as secured,
        pg_class.relforcerowsecurity as forced
    from pg_catalog.pg_class
    inner join space on pg_class.relnamespace = space.oid
    where pg_class.relkind in ('r', 'p', 'v', 'm', 'S')
),

routine as (
    select
        pg_proc.oid,
        space.name || '.' || pg_proc.proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')' as name,
        pg_proc.prokind as kind,
        pg_proc.proowner as owner,
        coalesce(pg_proc.proacl, acldefault('f', pg_proc.proowner)) as acl
    from pg_catalog.pg_proc
    inner join space on pg_proc.pronamespace = space.oid
),

rights as (
    select 'schema ' || space.name as what, space.owner, one.grantee, one.privilege_type
    from space
    cross join lateral aclexplode(coalesce(space.acl, acldefault('n', space.owner))) as one
    union all
    select relation.name, relation.owner, one.grantee, one.privilege_type
    from relation
    cross join lateral aclexplode(relation.acl) as one
    union all
    select relation.name || '.' || pg_attribute.attname, relation.owner, one.grantee, one.privilege_type
    from relation
    inner join pg_catalog.pg_attribute on relation.oid = pg_attribute.attrelid
    cross join lateral aclexplode(pg_attribute.attacl) as one
    where pg_attribute.attacl is not null and not pg_attribute.attisdropped
    union all
    select routine.name, routine.owner, one.grantee, one.privilege_type
    from routine
    cross join lateral aclexplode(routine.acl) as one
),

entry (kind, name, definition) as (
    select
        'column',
        relation.name || '.' || pg_attribute.attname,
        format_type(pg_attribute.atttypid, pg_attribute.atttypmod)
        || case when pg_attribute.attnotnull then ' not null' else '' end
        || ' ' || pg_attribute.attidentity::text || pg_attribute.attgenerated::text
        || coalesce(' ' || pg_get_expr(pg_attrdef.adbin, pg_attrdef.adrelid), '')
    from relation
    inner join pg_catalog.pg_attribute on relation.oid = pg_attribute.attrelid
    left join pg_catalog.pg_attrdef
        on pg_attribute.attrelid = pg_attrdef.adrelid and pg_attribute.attnum = pg_attrdef.adnum
    where relation.kind <> 'S' and pg_attribute.attnum > 0 and not pg_attribute.attisdropped
    union all
    select
        'constraint', relation.name || ' ' || pg_constraint.conname, pg_get_constraintdef(pg_constraint.oid)
    from relation
    inner join pg_catalog.pg_constraint on relation.oid = pg_constraint.conrelid
    where pg_constraint.contype in ('c', 'p', 'u', 'f', 'x')
    union all
    select 'index', relation.name || ' ' || pg_class.relname, pg_get_indexdef(pg_class.oid)
    from relation
    inner join pg_catalog.pg_index on relation.oid = pg_index.indrelid
    inner join pg_catalog.pg_class on pg_index.indexrelid = pg_class.oid
    union all
    select 'view', relation.name, pg_get_viewdef(relation.oid) || coalesce(' ' || relation.options::text, '')
    from relation
    where relation.kind in ('v', 'm')
    union all
    select 'function', routine.name, pg_get_functiondef(routine.oid)
    from routine
    where routine.kind <> 'a'
    union all
    select
        'trigger',
        relation.name || ' ' || pg_trigger.tgname,
        pg_get_triggerdef(pg_trigger.oid) || ' ' || pg_trigger.tgenabled::text
    from relation
    inner join pg_catalog.pg_trigger on relation.oid = pg_trigger.tgrelid
    where not pg_trigger.tgisinternal
    union all
    select 'row security of', relation.name, case when relation.forced then 'forced' else 'on' end
    from relation
    where relation.secured
    union all
    select
        'policy',
        relation.name || ' ' || pg_policy.polname,
        pg_policy.polcmd::text || ' ' || pg_policy.polpermissive::text || ' to ' || (
            select string_agg(one.name, ', ' order by one.name collate "C")
            from (
                select case when role = 0 then 'public' else pg_get_userbyid(role)::text end as name
                from unnest(pg_policy.polroles) as role
            ) as one
        )
        || coalesce(' using ' || pg_get_expr(pg_policy.polqual, pg_policy.polrelid), '')
        || coalesce(' check ' || pg_get_expr(pg_policy.polwithcheck, pg_policy.polrelid), '')
    from relation
    inner join pg_catalog.pg_policy on relation.oid = pg_policy.polrelid
    union all
    select
        'right',
        rights.privilege_type || ' on ' || rights.what || ' of '
        || case when rights.grantee = 0 then 'public' else pg_get_userbyid(rights.grantee)::text end,
        ''
    from rights
    where rights.grantee <> rights.owner and pg_get_userbyid(rights.grantee) <> 'trigpoint_owner'
)

select json_build_array(kind, name, definition)::text
from entry
order by kind collate "C", name collate "C";
"""
