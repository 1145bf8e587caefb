"""The statements of the map tools. `{asked}` is SQL that a model wrote, as it wrote it: see sql_running.py."""

from sqlalchemy import text

# offset 0 keeps the planner from copying what was asked into both uses of `answer`.
ASK = """declare answer no scroll cursor for
select
    pg_catalog.pg_column_size(answer) as bytes,
    case
        when pg_catalog.pg_column_size(answer) <= {limit} then pg_catalog.row_to_json(answer)::pg_catalog.text
    end as line
from (
    select asked.*
    from (
{asked}
) as asked
    offset 0
) as answer
"""

FETCH = "fetch forward {rows} from answer"

VIEWS = text("""
select
    pg_class.relname as view,
    pg_attribute.attname as column,
    format_type(pg_attribute.atttypid, pg_attribute.atttypmod) as type
from pg_class
inner join pg_namespace on pg_class.relnamespace = pg_namespace.oid
inner join pg_attribute on pg_class.oid = pg_attribute.attrelid
where
    pg_namespace.nspname = :schema
    and pg_class.relkind = 'v'
    and pg_attribute.attnum > 0
order by pg_class.relname, pg_attribute.attnum
""")
