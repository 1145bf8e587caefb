"""The statements that all tools share, on the tables of the snapshot that is first in search_path. Values by binds."""

from sqlalchemy import TextClause, text

SECONDS = 2
"""How long one statement of a tool may take."""

READ_ONLY = text("set transaction read only")
SHORT = text(f"set local statement_timeout = '{SECONDS}s'")

# A tool looks up a few rows: by an index, whatever the planner thinks of the size of a table, and without compiling.
# Statements of their own, since the role reader may not call set_config.
LOOK_UP = (
    text("set local enable_seqscan = off"),
    text("set local jit = off"),
)


def least_likeness(least: float) -> TextClause:
    """For the rest of the transaction, texts count as alike by pg_trgm's `%` from this likeness on, 0 to 1."""
    return text(f"set local pg_trgm.similarity_threshold = {least}")


# A place by its id, from the first layer that has it. Tags that may be asked for as facts are left out.
PLACES = text("""
with wanted as (
    select unnest(cast(:keys as text[])) as osm_key
),

found as (
    select
        1 as rank,
        'poi' as layer,
        poi.osm_key,
        poi.name,
        poi.class,
        poi.classes,
        poi.tags,
        poi.geom
    from wanted
    inner join poi on wanted.osm_key = poi.osm_key
    union all
    select
        2 as rank,
        'park' as layer,
        park.osm_key,
        park.name,
        park.class,
        array[park.class] as classes,
        park.tags,
        park.geom
    from wanted
    inner join park on wanted.osm_key = park.osm_key
    union all
    select
        3 as rank,
        'water' as layer,
        water.osm_key,
        water.name,
        water.class,
        array[water.class] as classes,
        water.tags,
        water.geom
    from wanted
    inner join water on wanted.osm_key = water.osm_key
    union all
    select
        4 as rank,
        'region' as layer,
        region.osm_key,
        region.name,
        region.class,
        array[region.class] as classes,
        region.tags,
        region.geom
    from wanted
    inner join region on wanted.osm_key = region.osm_key
    union all
    select
        5 as rank,
        'aoi' as layer,
        aoi.osm_key,
        aoi.name,
        aoi.class,
        array[aoi.class] as classes,
        aoi.tags,
        aoi.geom
    from wanted
    inner join aoi on wanted.osm_key = aoi.osm_key
    union all
    select
        6 as rank,
        'road' as layer,
        road.osm_key,
        road.name,
        road.class,
        array[road.class] as classes,
        road.tags,
        road.geom
    from wanted
    inner join road on wanted.osm_key = road.osm_key
    union all
    select
        7 as rank,
        'address' as layer,
        address.osm_key,
        null as name,
        'address' as class,
        array['address'] as classes,
        '{}' as tags,
        address.geom
    from wanted
    inner join address on wanted.osm_key = address.osm_key
)

select distinct on (found.osm_key)
    found.layer,
    found.osm_key,
    found.name,
    found.class as type,
    found.classes,
    found.tags - array(select fact_key.key from fact_key) as tags,
    st_x(shown.point) as lon,
    st_y(shown.point) as lat,
    coalesce(own.housenumber, address.housenumber) as housenumber,
    coalesce(own.street, address.street) as street,
    coalesce(own.postcode, address.postcode) as postcode,
    coalesce(own.city, address.city) as city
from found
cross join lateral (select st_pointonsurface(found.geom) as point) as shown
left join poi_address as own on found.osm_key = own.osm_key and own.source = 'own'
left join address on found.osm_key = address.osm_key
order by found.osm_key, found.rank
""")

REGIONS_AROUND = text("""
select
    region.osm_key,
    region.name,
    region.class as type,
    region.admin_level
from region
where
    region.name is not null
    and st_intersects(region.geom, st_setsrid(st_makepoint(:lon, :lat), 4326))
order by region.admin_level desc nulls last, st_area(region.geom), region.osm_key
""")
