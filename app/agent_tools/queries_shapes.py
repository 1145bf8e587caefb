"""The statements about shapes of places, on the tables of the snapshot that is first in search_path. Values by binds.

A place that is mapped as an area has its ground in poi_area; maps of a layer schema below 5 lack that.
"""

from sqlalchemy import text


def shape_of(bind: str, columns: str = "shape.geom, shape.layer, shape.at_edge") -> str:
    """A SELECT of the shape of the place whose id is the bind: the ground of what is an area, else what it is."""
    return f"""
select {columns}
from (
    select
        1 as rank,
        'poi' as layer,
        coalesce(poi_area.geom, poi.geom) as geom,
        false as at_edge
    from poi
    left join poi_area on poi.osm_key = poi_area.osm_key
    where poi.osm_key = :{bind}
    union all
    select
        2 as rank,
        'park' as layer,
        park.geom,
        park.at_edge
    from park
    where park.osm_key = :{bind}
    union all
    select
        3 as rank,
        'water' as layer,
        water.geom,
        water.at_edge
    from water
    where water.osm_key = :{bind}
    union all
    select
        4 as rank,
        'region' as layer,
        region.geom,
        region.at_edge
    from region
    where region.osm_key = :{bind}
    union all
    select
        5 as rank,
        'aoi' as layer,
        aoi.geom,
        aoi.at_edge
    from aoi
    where aoi.osm_key = :{bind}
    union all
    select
        6 as rank,
        'road' as layer,
        road.geom,
        false as at_edge
    from road
    where road.osm_key = :{bind}
    union all
    select
        7 as rank,
        'address' as layer,
        address.geom,
        false as at_edge
    from address
    where address.osm_key = :{bind}
) as shape
order by st_dimension(shape.geom) desc, shape.rank
limit 1
"""


NEAREST_PARTS = text(f"""
with origin as (
    select coalesce(
        ({shape_of("from_key", "shape.geom")}),
        st_setsrid(st_makepoint(:from_lon, :from_lat), 4326)
    ) as geom
),

destination as (
    select coalesce(
        ({shape_of("to_key", "shape.geom")}),
        st_setsrid(st_makepoint(:to_lon, :to_lat), 4326)
    ) as geom
)

select
    st_dimension(origin.geom) = 0 and st_dimension(destination.geom) = 0 as are_points,
    st_distance(cast(origin.geom as geography), cast(destination.geom as geography)) as metres
from origin
cross join destination
""")

AREA = text(f"""
with place as (
{shape_of("key")}
)

select
    place.layer,
    place.at_edge,
    st_dimension(place.geom) as dimension,
    st_area(cast(place.geom as geography)) as square_metres,
    st_perimeter(cast(place.geom as geography)) as perimeter,
    st_length(cast(place.geom as geography)) as length
from place
""")

# Points on the border belong to the area.
POIS_IN = text(f"""
with place as materialized (
{shape_of("key")}
),

found as (
    select
        poi.osm_key,
        poi.name
    from place
    inner join poi on st_intersects(place.geom, poi.geom)
    where
        st_dimension(place.geom) = 2
        and poi.osm_key <> :key
        and (cast(:type as text) is null or :type = any(poi.classes))
        and not exists (
            select 1
            from jsonb_each_text(cast(:attributes as jsonb)) as wanted
            where
                not coalesce(
                    lower(poi.tags ->> wanted.key) = wanted.value
                    or wanted.value = any(regexp_split_to_array(lower(poi.tags ->> wanted.key), '\\s*;\\s*')),
                    false
                )
        )
)

select
    found.osm_key,
    count(*) over () as total
from found
order by found.name nulls last, found.osm_key
limit :most
""")
