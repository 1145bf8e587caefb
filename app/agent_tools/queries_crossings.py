"""The statements of intersection_of, on the tables of the snapshot that is first in search_path. Values by binds."""

from sqlalchemy import text

# The street as it was written, else one that is called so apart from accents, else the most alike.
STREET = text("""
select street_name.street
from street_name
where
    street_name.form % :form
    and exists (
        select 1
        from road
        where road.name = street_name.street
    )
order by
    street_name.street <> :said,
    street_name.form <> :form,
    similarity(street_name.form, :form) desc,
    street_name.street
limit 1
""")

CROSSINGS = text("""
with ways as (
    select
        array(
            select road.osm_id
            from road
            where road.name = :street
        ) as of_street,
        array(
            select road.osm_id
            from road
            where road.name = :other
        ) as of_other
)

select
    st_x(road_node.geom) as lon,
    st_y(road_node.geom) as lat,
    st_distance(
        cast(road_node.geom as geography), cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)
    ) as metres
from ways
inner join road_node on road_node.way_ids && ways.of_street and road_node.way_ids && ways.of_other
order by metres, road_node.node_id
limit :most
""")
