"""A refresh copies the truth behind questions before it is known which of them it carries over.

So whether each piece has a question may be looked at later in a transaction that asks for it. Places of an answer are
told without a search path of their own, which took nearly half of the time.
"""

from alembic import op

revision: str = "0034"
down_revision: str | None = "0033"
branch_labels = None
depends_on = None

KEY = """
alter table trigpoint.{table}
alter constraint fk_{table}_version_id_question_id_question {when}
"""
PLACES = """
create or replace function trigpoint.places_of_gold(value jsonb)
returns geometry
language sql immutable strict as $$
    select public.st_collect(
        public.st_setsrid(public.st_makepoint(cast(place ->> 'lon' as float8), cast(place ->> 'lat' as float8)), 4326)
        order by place
    )
    from jsonb_path_query(value, '$.objects[*] ? (exists (@.lon))') as place
$$;
"""


def upgrade() -> None:
    for table in ("gold", "proof", "footprint"):
        op.execute(KEY.format(table=table, when="deferrable initially immediate"))
    op.execute(PLACES)


def downgrade() -> None:
    for table in ("gold", "proof", "footprint"):
        op.execute(KEY.format(table=table, when="not deferrable"))
    op.execute("alter function trigpoint.places_of_gold(jsonb) set search_path = public, pg_temp")
