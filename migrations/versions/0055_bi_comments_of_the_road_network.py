"""Maps have the layers of the road network, too: the comments of bi_ views name them."""

from alembic import op

revision: str = "0055"
down_revision: str | None = "0053"
branch_labels = None
depends_on = None

BEFORE = "poi, park, water, road, region, aoi, address, other_place or road_node"
NOW = (
    "poi, poi_area, park, water, road, region, aoi, address, other_place, road_node, road_edge, turn_restriction or "
    "road_barrier"
)

DESCRIBED = """
select
    pg_class.relname as view,
    pg_attribute.attname as column
from pg_description
inner join pg_class on pg_description.objoid = pg_class.oid
inner join pg_attribute
    on
        pg_class.oid = pg_attribute.attrelid
        and pg_description.objsubid = pg_attribute.attnum
where
    pg_description.classoid = 'pg_class'::regclass
    and pg_class.relnamespace = 'trigpoint'::regnamespace
    and starts_with(pg_class.relname, 'bi_')
    and pg_description.description = %(about)s
"""


def upgrade() -> None:
    _say(BEFORE, NOW)


def downgrade() -> None:
    _say(NOW, BEFORE)


def _say(before: str, now: str) -> None:
    for view, column in op.get_bind().exec_driver_sql(DESCRIBED, {"about": before}).all():
        op.execute(f"comment on column trigpoint.{view}.{column} is '{now}'")
