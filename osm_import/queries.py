"""Import stage: every statement that is not in schema.sql. Values by binds; schema names quoted by app.db.naming."""

import re
from functools import cache
from pathlib import Path

from psycopg import sql

from app.db.naming import quoted

NOTICE_DEAD_CLIENTS = "set client_connection_check_interval = '500ms'"
WAIT_FOR_LOCK = "set local lock_timeout = '4s'"
LOCK = "select pg_advisory_lock(hashtextextended('trigpoint import ' || %(name)s, 0))"
TRY_LOCK = "select pg_try_advisory_lock(hashtextextended('trigpoint import ' || %(name)s, 0))"
UNLOCK = "select pg_advisory_unlock(hashtextextended('trigpoint import ' || %(name)s, 0))"

FIND_PUBLISHED = """
select id, name, schema_name, checksum, data_timestamp, outline_source, layers
from trigpoint.snapshot
where
    name = %(name)s
    and checksum = %(checksum)s
    and layer_schema_version = %(layer_schema_version)s
    and state = 'published'
    and layers ?& %(layers)s::text[]
order by id desc
limit 1
"""

NEXT_ID = "select nextval(pg_get_serial_sequence('trigpoint.snapshot', 'id'))"

BEGIN_SNAPSHOT = """
insert into trigpoint.snapshot (
    id, name, schema_name, state, source, checksum, data_timestamp, replication_sequence,
    layer_schema_version, created_at, parent_id, boundary
)
overriding system value
values (
    %(id)s, %(name)s, %(schema_name)s, 'importing', %(source)s, %(checksum)s, %(timestamp)s, %(sequence)s,
    %(layer_schema_version)s, %(now)s, %(parent_id)s, %(boundary)s
)
"""

OTHER_MAP_OF_NAME = """
select data_timestamp, boundary
from trigpoint.snapshot
where
    name = %(name)s
    and state in ('published', 'held')
    and boundary is distinct from %(boundary)s::text
order by data_timestamp desc nulls last, id desc
limit 1
"""

UNFINISHED = """
select id, name, schema_name
from trigpoint.snapshot
where state = 'importing'
order by id
"""

FAIL_SNAPSHOT = "update trigpoint.snapshot set state = 'failed' where id = %(id)s and state = 'importing'"

PUBLISH = """
update trigpoint.snapshot
set
    state = 'published',
    outline = %(outline)s::geometry,
    outline_source = %(outline_source)s,
    layers = %(layers)s,
    engine_versions = %(engine_versions)s,
    planted = %(planted)s,
    permuted = %(permuted)s,
    published_at = %(now)s
where id = %(id)s and state = 'importing'
"""

PLANTED = """
select class, count(*) as places
from poi
where osm_type = 'n' and osm_id between %(first)s and %(last)s
group by class
order by class
"""

PERMUTED = """
select
    coalesce((select road.osm_version from road limit 1) >= %(first)s, false)
    or coalesce((select poi.osm_version from poi limit 1) >= %(first)s, false)
    or coalesce((select region.osm_version from region limit 1) >= %(first)s, false)
"""
"""All objects of a permuted file are marked, so any row tells."""

PUBLISHED_BEFORE = """
select
    this.schema_name,
    this.name,
    this.data_timestamp,
    %(layers)s::jsonb as layers,
    last.data_timestamp as last_timestamp,
    last.layers as last_layers,
    last.id as last_id,
    last.schema_name as last_schema,
    last.outline_source as last_outline_source,
    last.outline::text as last_outline,
    last.layer_schema_version = this.layer_schema_version as alike
from trigpoint.snapshot as this
inner join trigpoint.snapshot as last on this.name = last.name
where
    this.id = %(id)s
    and last.state = 'published'
    and (last.data_timestamp <= this.data_timestamp) is not false
order by last.data_timestamp desc nulls last, last.id desc
limit 1
"""
"""The published map that one follows: an import of an older one is judged by what is older still."""

HOLD = """
update trigpoint.snapshot
set
    state = 'held',
    outline = %(outline)s::geometry,
    outline_source = %(outline_source)s,
    layers = %(layers)s,
    engine_versions = %(engine_versions)s,
    planted = %(planted)s,
    permuted = %(permuted)s
where id = %(id)s and state = 'importing'
"""

FIND_HELD = """
select schema_name, data_timestamp
from trigpoint.snapshot
where
    name = %(name)s
    and checksum = %(checksum)s
    and layer_schema_version = %(layer_schema_version)s
    and state = 'held'
order by id desc
limit 1
"""

HELD_OF_NAME = """
select name, data_timestamp
from trigpoint.snapshot
where
    name = %(name)s
    and state = 'held'
order by data_timestamp desc nulls last, id desc
"""

PUBLISH_HELD = "update trigpoint.snapshot set state = 'published', published_at = %(now)s where id = %(id)s"

SNAPSHOTS = """
select id, name, schema_name, state, data_timestamp
from trigpoint.snapshot
order by name, data_timestamp desc nulls last, id desc
"""

LOCK_SNAPSHOT = "select state from trigpoint.snapshot where id = %(id)s for update"
TRY_IMPORT_LOCK = "select pg_try_advisory_xact_lock(hashtextextended('trigpoint import ' || %(name)s, 0))"
TRY_SNAPSHOT_LOCK = "select pg_try_advisory_xact_lock(trigpoint.snapshot_lock(%(id)s))"
MARK_DROPPED = "update trigpoint.snapshot set state = 'dropped' where id = %(id)s"

NEEDED_BY = """
select dataset.name || '@' || dataset_version.number as reference
from trigpoint.dataset_snapshot
inner join trigpoint.dataset_version on dataset_snapshot.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where dataset_snapshot.snapshot_id = %(id)s
order by dataset.name, dataset_version.number
"""

LIST_SNAPSHOTS = """
with
needs as (
    select
        dataset_snapshot.snapshot_id,
        jsonb_agg(
            dataset.name || '@' || dataset_version.number order by dataset.name, dataset_version.number
        ) as needed_by
    from trigpoint.dataset_snapshot
    inner join trigpoint.dataset_version on dataset_snapshot.version_id = dataset_version.id
    inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
    group by dataset_snapshot.snapshot_id
),

sizes as (
    select
        pg_namespace.nspname as schema_name,
        sum(pg_total_relation_size(pg_class.oid))::bigint as bytes
    from pg_class
    inner join pg_namespace on pg_class.relnamespace = pg_namespace.oid
    where pg_class.relkind = 'r' and starts_with(pg_namespace.nspname, 'osm_')
    group by pg_namespace.nspname
)

select
    snapshot.id,
    snapshot.name,
    snapshot.schema_name,
    snapshot.state,
    snapshot.source,
    snapshot.checksum,
    snapshot.data_timestamp,
    snapshot.replication_sequence,
    snapshot.outline_source,
    snapshot.layers,
    snapshot.planted,
    snapshot.permuted,
    snapshot.boundary,
    parent.name as parent_name,
    parent.data_timestamp as parent_timestamp,
    snapshot.state = 'published' and row_number() over (
        partition by snapshot.name, snapshot.state
        order by snapshot.data_timestamp desc nulls last, snapshot.id desc
    ) = 1 as newest,
    coalesce(needs.needed_by, '[]') as needed_by,
    coalesce(sizes.bytes, 0) as bytes
from trigpoint.snapshot
left join trigpoint.snapshot as parent on snapshot.parent_id = parent.id
left join needs on snapshot.id = needs.snapshot_id
left join sizes on snapshot.schema_name = sizes.schema_name
order by snapshot.name, snapshot.data_timestamp, snapshot.id
"""

ENGINE_VERSIONS = """
select
    current_setting('server_version') as postgresql,
    postgis_lib_version() as postgis,
    postgis_geos_version() as geos,
    postgis_proj_version() as proj
"""

ADD_FACT_KEYS = "insert into fact_key (key) select unnest(%(keys)s::text[])"

ADMIN_AREAS = """
select osm_key, admin_level, ST_AsBinary(geom)
from region
where osm_type = 'r' and not repaired and admin_level = any(%(levels)s) and tags ->> 'boundary' = 'administrative'
order by osm_key
"""

PLACES = """
select ST_X(geom), ST_Y(geom) from poi
union all
select ST_X(geom), ST_Y(geom) from address
union all
select ST_X(ST_StartPoint(geom)), ST_Y(ST_StartPoint(geom)) from road
"""

COUNT_ROWS = """
select 'poi' as layer, count(*), count(*) filter (where repaired) from poi
union all
select 'park', count(*), count(*) filter (where repaired) from park
union all
select 'water', count(*), count(*) filter (where repaired) from water
union all
select 'road', count(*), count(*) filter (where repaired) from road
union all
select 'region', count(*), count(*) filter (where repaired) from region
union all
select 'aoi', count(*), count(*) filter (where repaired) from aoi
union all
select 'address', count(*), count(*) filter (where repaired) from address
union all
select 'other_place', count(*), count(*) filter (where repaired) from other_place
union all
select 'poi_area', count(*), count(*) filter (where repaired) from poi_area
union all
select 'road_node', count(*), 0 from road_node
union all
select 'road_edge', count(*), 0 from road_edge
union all
select 'turn_restriction', count(*), 0 from turn_restriction
union all
select 'road_barrier', count(*), 0 from road_barrier
"""

COUNT_REJECTS = "select layer, count(*) from reject group by layer order by layer"

BAD_GEOMETRIES = """
with geometries as (
    select 'poi' as layer, osm_key, geom from poi
    union all
    select 'park', osm_key, geom from park
    union all
    select 'water', osm_key, geom from water
    union all
    select 'road', osm_key, geom from road
    union all
    select 'region', osm_key, geom from region
    union all
    select 'aoi', osm_key, geom from aoi
    union all
    select 'address', osm_key, geom from address
    union all
    select 'other_place', osm_key, geom from other_place
    union all
    select 'poi_area', osm_key, geom from poi_area
)

select layer, osm_key
from geometries
where
    ST_IsEmpty(geom)
    or not ST_IsValid(geom)
    or ST_XMin(geom) < -180
    or ST_XMax(geom) > 180
    or ST_YMin(geom) < -90
    or ST_YMax(geom) > 90
order by layer, osm_key
limit 5
"""

VIEW_COLUMNS = """
select table_name || '.' || column_name
from information_schema.columns
where table_schema = %(schema)s and column_name = any(%(columns)s)
order by 1
"""

VIEW_FACTS = """
select 'pois' as view_name, key
from pois
cross join lateral jsonb_object_keys(tags) as key
where key in (select fact_key.key from fact_key)
union
select 'regions', key
from regions
cross join lateral jsonb_object_keys(tags) as key
where key in (select fact_key.key from fact_key)
order by view_name, key
limit 5
"""


@cache
def section(name: str) -> str:
    """One section of schema.sql, from its `-- section: NAME` line to the next."""
    text = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
    parts = re.split(r"^-- section: (\w+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[name]


def create_schema(schema: str) -> str:
    """Make a schema that nobody but the owner sees yet."""
    return f"create schema {quoted(schema)}"


def drop_schema(schema: str) -> str:
    """Remove a schema and everything in it, if it is there."""
    return f"drop schema if exists {quoted(schema)} cascade"


def search_schemas(*schemas: str) -> str:
    """For the rest of the transaction, unqualified names mean these schemas' tables, then PostGIS."""
    return f"set local search_path = {', '.join(quoted(schema) for schema in schemas)}, public"


def grant_layers(schema: str) -> list[str]:
    """The roles that make and check questions read the layers; nobody else does."""
    roles = "trigpoint_worker, trigpoint_maintainer"
    return [
        f"grant usage on schema {quoted(schema)} to {roles}",
        f"grant select on all tables in schema {quoted(schema)} to {roles}",
    ]


def grant_views(schema: str) -> list[str]:
    """The role of model-written SQL reads the reference views, and nothing else."""
    return [
        f"grant usage on schema {quoted(schema)} to trigpoint_reader",
        f"grant select on all tables in schema {quoted(schema)} to trigpoint_reader",
    ]


def copy_into(table: str, columns: tuple[str, ...]) -> sql.Composed:
    """COPY of rows into one table of the snapshot, which the same transaction has made."""
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    return sql.SQL("copy {} ({}) from stdin with (freeze)").format(sql.Identifier(table), names)
