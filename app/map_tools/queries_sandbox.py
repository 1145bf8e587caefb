"""The statements of the sandbox: what a snapshot's copy is made of, how it is filled, and who crashed."""

from psycopg import sql

from app.db.naming import quoted

# In the service's database, as the worker.
SNAPSHOT = """
select schema_name, checksum, created_at::text
from trigpoint.snapshot
where
    id = %(id)s
    and state = 'published'
"""

PUBLISHED = """
select id
from trigpoint.snapshot
where
    id = any(%(ids)s)
    and state = 'published'
"""

# In the service's database, as the reader: rows in the order in which they lie, however long that takes.
UNHURRIED = """
set statement_timeout = 0;
set synchronize_seqscans = off;
set max_parallel_workers_per_gather = 0;
set search_path = public
"""

# The columns of a snapshot's reference views.
COLUMNS = """
select
    pg_class.relname,
    pg_attribute.attname,
    format_type(pg_attribute.atttypid, pg_attribute.atttypmod)
from pg_class
inner join pg_namespace on pg_class.relnamespace = pg_namespace.oid
inner join pg_attribute on pg_class.oid = pg_attribute.attrelid
where
    pg_namespace.nspname = %(schema)s
    and pg_class.relkind = 'v'
    and pg_attribute.attnum > 0
order by pg_class.relname, pg_attribute.attnum
"""

# In the sandbox.
DATABASE_IS_THERE = "select exists (select from pg_database where datname = %(name)s)"
LOCK = "select pg_advisory_lock(hashtextextended('trigpoint sandbox ' || %(name)s, 0))"
UNLOCK = "select pg_advisory_unlock(hashtextextended('trigpoint sandbox ' || %(name)s, 0))"
BRIEFLY = "set local lock_timeout = '5s'"
IS_FILLED = "select to_regnamespace(%s) is not null, clock_timestamp()"
CRASHED = "select sandbox.crashed(%s)"
SCHEMAS = """
select nspname
from pg_namespace
where nspname ~ '^(reference|layers)_[0-9]+'
"""
CHECKPOINT = "checkpoint"

# As the layers themselves are indexed (osm_import/schema.sql), by the names of the views.
INDEXED = {"geom": "gist", "geog": "gist", "subcategory": "btree", "name": "btree"}
TRIGRAMS = ("pois", "name")


def make_database(name: str) -> list[str]:
    """The database of copies for a database of the service; outside a transaction."""
    return [
        f"create database {quoted(name)} template sandbox_template",
        f"revoke all on database {quoted(name)} from public",
        f"grant connect on database {quoted(name)} to trigpoint_reader",
    ]


def drop_schema(schema: str) -> str:
    """Everything of one copy."""
    return f"drop schema if exists {quoted(schema)} cascade"


def make_schemas(layers: str, reference: str) -> list[str]:
    """Where the tables lie, and where the reader is shown them."""
    return [
        f"create schema {quoted(layers)}",
        f"create schema {quoted(reference)}",
        f"set local search_path = {quoted(layers)}, public",
    ]


def make_table(table: str, columns: list[tuple[str, str]]) -> sql.Composed:
    """A table with the columns of a view. Types are as the service's server names them."""
    return sql.SQL("create table {} ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(
            sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(kind)) for name, kind in columns
        ),
    )


def copy_out(reference: str, view: str) -> sql.Composed:
    """COPY of a view's rows, in the order in which a scan finds them."""
    return sql.SQL("copy (select * from {}.{}) to stdout (format binary)").format(
        sql.Identifier(reference), sql.Identifier(view)
    )


def copy_in(table: str) -> sql.Composed:
    """COPY of those rows into a table that the same transaction made."""
    return sql.SQL("copy {} from stdin (format binary, freeze)").format(sql.Identifier(table))


def finish_table(
    layers: str, reference: str, table: str, columns: list[tuple[str, str]]
) -> list[sql.Composed]:
    """Indexes and statistics of a filled table, and the view through which the reader sees it."""
    names = {
        "table": sql.Identifier(table),
        "layers": sql.Identifier(layers),
        "reference": sql.Identifier(reference),
    }
    here = {name for name, _ in columns}
    indexes = [
        sql.SQL("create index on {table} using {method} ({column})").format(
            **names, method=sql.SQL(method), column=sql.Identifier(column)
        )
        for column, method in INDEXED.items()
        if column in here
    ]
    if table == TRIGRAMS[0] and TRIGRAMS[1] in here:
        trigrams = "create index on {table} using gin ({column} gin_trgm_ops)"
        indexes.append(sql.SQL(trigrams).format(**names, column=sql.Identifier(TRIGRAMS[1])))
    return [
        *indexes,
        sql.SQL("analyze {table}").format(**names),
        sql.SQL("create view {reference}.{table} as select * from {layers}.{table}").format(**names),
    ]


def let_in(reference: str) -> list[str]:
    """The reader reads the views of one snapshot."""
    return [
        f"grant usage on schema {quoted(reference)} to trigpoint_reader",
        f"grant select on all tables in schema {quoted(reference)} to trigpoint_reader",
    ]
