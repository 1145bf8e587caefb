"""The statements that read what lies in a frame, on the tables of the snapshot that is first in search_path.

`west`, `south`, `east`, `north` are the frame's edges in degrees, with what is read around it. Shapes are clipped
to them.
"""

from sqlalchemy import text

# Areas from the back to the front; the point is inside the whole area, for its label.
AREAS = text("""
with box as (
    select st_makeenvelope(:west, :south, :east, :north, 4326) as geom
),

found as (
    select
        aoi.osm_key,
        'ground' as kind,
        aoi.class,
        aoi.name,
        aoi.geom
    from box
    inner join aoi on aoi.geom && box.geom
    union all
    select
        park.osm_key,
        'park' as kind,
        park.class,
        park.name,
        park.geom
    from box
    inner join park on park.geom && box.geom
    where st_dimension(park.geom) = 2
    union all
    select
        water.osm_key,
        'water' as kind,
        water.class,
        water.name,
        water.geom
    from box
    inner join water on water.geom && box.geom
    where st_dimension(water.geom) = 2
)

select
    found.osm_key,
    found.kind,
    found.class as klass,
    found.name,
    st_area(found.geom) as size,
    st_asbinary(st_clipbybox2d(found.geom, box.geom)) as shape,
    st_asbinary(st_pointonsurface(found.geom)) as inside
from box
cross join found
""")

# The ground of places that are buildings.
BUILDINGS = text("""
with box as (
    select st_makeenvelope(:west, :south, :east, :north, 4326) as geom
)

select
    poi_area.osm_key,
    st_asbinary(st_clipbybox2d(poi_area.geom, box.geom)) as shape,
    st_area(poi_area.geom) as size
from box
inner join poi_area on poi_area.geom && box.geom
inner join poi on poi_area.osm_key = poi.osm_key
where poi.tags ? 'building'
""")

LINES = text("""
with box as (
    select st_makeenvelope(:west, :south, :east, :north, 4326) as geom
),

found as (
    select
        road.osm_key,
        'road' as kind,
        road.class,
        road.name,
        road.ref,
        road.tags ->> 'layer' as level,
        road.tunnel,
        road.geom
    from box
    inner join road on road.geom && box.geom
    union all
    select
        water.osm_key,
        'water' as kind,
        water.class,
        water.name,
        null as ref,
        water.tags ->> 'layer' as level,
        coalesce(water.tags ->> 'tunnel', 'no') <> 'no' as tunnel,
        water.geom
    from box
    inner join water on water.geom && box.geom
    where st_dimension(water.geom) = 1
)

select
    found.osm_key,
    found.kind,
    found.class as klass,
    found.name,
    found.ref,
    found.level,
    found.tunnel,
    st_asbinary(st_clipbybox2d(found.geom, box.geom)) as shape
from box
cross join found
""")

# Places; `weight` counts links to Wikidata and Wikipedia, which well-known places have.
PLACES = text("""
select
    poi.osm_key,
    poi.class as klass,
    poi.classes,
    poi.category,
    poi.name,
    (poi.wikidata is not null)::int + (poi.wikipedia is not null)::int as weight,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from poi
where poi.geom && st_makeenvelope(:west, :south, :east, :north, 4326)
""")

HOUSES = text("""
select
    address.osm_key,
    address.housenumber,
    st_x(address.geom) as lon,
    st_y(address.geom) as lat
from address
where address.geom && st_makeenvelope(:west, :south, :east, :north, 4326)
""")

# Parts of towns, towns and larger regions, as far as the frame shows a good part of them.
REGIONS = text("""
with box as (
    select st_makeenvelope(:west, :south, :east, :north, 4326) as geom
),

found as (
    select
        region.osm_key,
        region.class,
        region.name,
        coalesce(region.population, 0) as population,
        st_pointonsurface(region.geom) as place
    from box
    inner join region on region.geom && box.geom
    where
        region.name is not null
        and st_area(region.geom) < :times * st_area(box.geom)
        and (:all_classes or region.class not in ('administrative', 'state', 'county'))
)

select
    found.osm_key,
    found.class as klass,
    found.name,
    found.population,
    st_x(found.place) as lon,
    st_y(found.place) as lat
from found
where found.place && st_makeenvelope(:west, :south, :east, :north, 4326)
""")

# Waters that the import rejected: their place is where they are open, and lies in the frame or is not known.
OPEN_WATER = text("""
select
    reject.osm_key,
    reject.reason
from reject
where
    reject.layer = 'water'
    and coalesce(reject.place && st_makeenvelope(:west, :south, :east, :north, 4326), true)
order by reject.osm_key
limit 1
""")

# Signs of the sea: a bay or a strait; a ferry, or a marina, most of which no area of water holds. The first 50 metres
# of a ferry are its landing, and half of a marina may be on land.
SEA = text("""
with box as (
    select st_makeenvelope(:west, :south, :east, :north, 4326) as geom
),

suspects as (
    select
        'a ferry outside of all waters, w' || road_edge.way_id as told,
        road_edge.geom,
        50 as least
    from box
    inner join road_edge on st_intersects(road_edge.geom, box.geom)
    where road_edge.class = 'ferry'
    union all
    select
        'a marina outside of all waters, ' || park.osm_key as told,
        park.geom,
        st_area(park.geom::geography) / 2 as least
    from box
    inner join park on st_intersects(park.geom, box.geom)
    where park.class = 'marina' and st_dimension(park.geom) = 2
),

outside as (
    select
        suspects.told,
        suspects.least,
        st_difference(
            suspects.geom,
            coalesce(
                (
                    select st_union(water.geom)
                    from water
                    where st_dimension(water.geom) = 2 and water.geom && suspects.geom
                ),
                st_geomfromtext('polygon empty', 4326)
            )
        )::geography as geog
    from suspects
),

signs as (
    select 'a ' || water.class || ', ' || water.osm_key as told
    from box
    inner join water on st_intersects(water.geom, box.geom)
    where water.class in ('bay', 'strait')
    union all
    select outside.told
    from outside
    where st_length(outside.geog) > outside.least or st_area(outside.geog) > outside.least
)

select signs.told
from signs
order by signs.told
limit 1
""")
