"""Doctor: the statements of its database checks; each returns one row or a list of plain values."""

VERSIONS = """
select
    current_setting('server_version') as server,
    postgis_lib_version() as postgis,
    postgis_geos_version() as geos,
    split_part(postgis_proj_version(), ' ', 1) as proj
"""

EXTENSIONS = """
select e.extname, e.extversion, a.default_version
from pg_extension as e
inner join pg_available_extensions as a on a.name = e.extname
where e.extname in ('postgis', 'btree_gist', 'pg_trgm')
"""

ENDPOINTS = """
select name, url, model, key_variable
from endpoint
where name = coalesce(record, name)
order by name
"""
