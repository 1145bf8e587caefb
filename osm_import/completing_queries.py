"""Import stage: the statements of completing.py, on the tables of the snapshot in search_path. Values by binds."""

from osm_import.queries import section

TABLES = section("completion_tables")
INDEXES = section("completion_indexes")

OWN_ADDRESSES = """
insert into poi_address (
    osm_key, source, address_key, distance_m, housenumber, street, suburb, city, postcode, state, country
)
select
    poi.osm_key,
    'own',
    address.osm_key,
    0,
    poi.housenumber,
    poi.street,
    poi.suburb,
    poi.city,
    poi.postcode,
    poi.state,
    poi.country
from poi
left join address on poi.osm_key = address.osm_key
where poi.housenumber is not null or poi.street is not null
order by poi.osm_key
"""

# The index's order <-> is that of a sphere, up to 1.1 % off the spheroid's: its first address gives a radius, and the
# nearest is looked for within that. Beyond `exact_within` metres a radius may hold cities: there the first counts.
NEAREST_ADDRESSES = """
insert into poi_address (
    osm_key, source, address_key, distance_m, housenumber, street, suburb, city, postcode, state, country
)
select
    poi.osm_key,
    'near',
    near.osm_key,
    ST_Distance(near.geog, poi.geog),
    near.housenumber,
    near.street,
    near.suburb,
    near.city,
    near.postcode,
    near.state,
    near.country
from poi
cross join lateral (
    select address.osm_key, ST_Distance(address.geog, poi.geog) as distance_m
    from address
    order by address.geog <-> poi.geog
    limit 1
) as guess
left join lateral (
    select address.osm_key
    from address
    where ST_DWithin(address.geog, poi.geog, least(guess.distance_m, %(exact_within)s) + 0.000001)
    order by ST_Distance(address.geog, poi.geog), address.osm_key
    limit 1
) as exact on true
inner join address as near on near.osm_key = coalesce(exact.osm_key, guess.osm_key)
where poi.housenumber is null and poi.street is null
order by poi.osm_key
"""

# One region's geometry stands still while all its pois are asked: faster than the same with subdivided regions.
POI_REGIONS = """
insert into poi_region (osm_key, region_key, admin_level)
select poi.osm_key, region.osm_key, region.admin_level
from region
inner join poi on ST_Covers(region.geom, poi.geom)
order by poi.osm_key, region.osm_key
"""


# What a reader could take a name for: places, grounds, waters and regions, whether anything is asked about them or not.
PLACE_NAMES = """
insert into place_name (form, osm_key)
select distinct
    replace(lower(btrim(regexp_replace(normalize(named.name, nfkc), '\\s+', ' ', 'g'))), 'ß', 'ss') as form,
    named.osm_key
from (
    select name, osm_key from poi
    union all
    select name, osm_key from park
    union all
    select name, osm_key from water
    union all
    select name, osm_key from region
    union all
    select name, osm_key from aoi
    union all
    select name, osm_key from other_place
) as named
where btrim(named.name) <> ''
order by form, osm_key
"""

_SEARCH_FORM = """
    btrim(regexp_replace(
        translate(
            replace(replace(replace(lower(
                regexp_replace(normalize({name}, nfkd), U&'[\\0300-\\036F]', '', 'g')
            ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
            'øłđðı',
            'olddi'
        ),
        '\\s+', ' ', 'g'
    ))"""

# Tags in other languages and scripts count too; former names do not: they may be facts.
SEARCH_NAMES = f"""
insert into search_name (form, osm_key, layer, geom)
select distinct on (form, named.osm_key, named.layer)
    {_SEARCH_FORM.format(name="said.name")} as form,
    named.osm_key,
    named.layer,
    ST_PointOnSurface(named.geom)
from (
    select 'poi' as layer, osm_key, name, name_en, official_name, alt_names, tags, geom from poi
    union all
    select 'park' as layer, osm_key, name, name_en, official_name, alt_names, tags, geom from park
    union all
    select 'water' as layer, osm_key, name, name_en, official_name, alt_names, tags, geom from water
    union all
    select 'region' as layer, osm_key, name, name_en, official_name, alt_names, tags, geom from region
    union all
    select 'aoi' as layer, osm_key, name, name_en, official_name, alt_names, tags, geom from aoi
) as named
cross join lateral (
    select unnest(array[named.name, named.name_en, named.official_name] || named.alt_names) as name
    union
    select tag.value
    from jsonb_each_text(named.tags) as tag
    where tag.key ~ '^(name:[a-z]{{2,3}}([_-][A-Za-z]+)*|int_name|loc_name|nat_name|reg_name|short_name)$'
) as said
where named.name is not null and btrim(said.name) <> ''
order by form, named.osm_key, named.layer
"""

STREET_NAMES = f"""
insert into street_name (form, street)
select distinct
    {_SEARCH_FORM.format(name="said.name")} as form,
    said.street
from (
    select street as name, street from address
    union
    select name, name as street from road
    union
    select name_en, name as street from road
    union
    select unnest(alt_names), name as street from road
) as said
where btrim(said.name) <> '' and said.street is not null
order by form, said.street
"""

TWINS = """
insert into poi_twin (osm_key, class)
select distinct
    one.osm_key,
    shared.class
from poi as one
inner join place_name as one_name on one.osm_key = one_name.osm_key
inner join poi as other
    on ST_DWithin(one.geog, other.geog, %(metres)s) and one.osm_key <> other.osm_key and one.classes && other.classes
inner join place_name as other_name on other.osm_key = other_name.osm_key and one_name.form = other_name.form
cross join lateral unnest(one.classes) as shared (class)
where shared.class = any(other.classes)
order by one.osm_key, shared.class
"""

# Places of one class are one where one operator runs them, or, without an operator, where they have one name, and where
# steps of %(metres)s metres lead from one to the other. Of what has neither, each place is one by itself.
DESTINATIONS = """
insert into destination (class, osm_key, osm_keys, name, repaired, geom)
with recursive stop as materialized (
    select
        poi_class.class,
        poi.osm_key,
        row_number() over (order by position(poi.osm_type in 'nwr'), poi.osm_id) as rank,
        btrim(poi.name) as name,
        case
            when btrim(poi.tags ->> 'operator') <> '' then 'run by ' || lower(btrim(poi.tags ->> 'operator'))
            when btrim(poi.name) <> '' then 'called ' || lower(btrim(poi.name))
        end as whose,
        poi.repaired,
        poi.geom,
        poi.geog
    from poi_class
    inner join poi on poi_class.osm_key = poi.osm_key
    where poi_class.class = any(%(classes)s)
),

beside as materialized (
    select distinct one.class, one.rank, other.rank as other_rank
    from stop as one
    inner join poi_class as near on one.class = near.class and ST_DWithin(one.geog, near.geog, %(metres)s)
    inner join stop as other on near.osm_key = other.osm_key and near.class = other.class and one.whose = other.whose
),

reach (class, rank, first) as (
    select stop.class, stop.rank, stop.rank from stop
    union
    select beside.class, beside.other_rank, reach.first
    from reach
    inner join beside on reach.class = beside.class and reach.rank = beside.rank
    where beside.other_rank > reach.first
),

member as (
    select reach.class, reach.rank, min(reach.first) as first
    from reach
    group by reach.class, reach.rank
)

select
    member.class,
    (array_agg(stop.osm_key order by stop.rank))[1],
    array_agg(stop.osm_key order by stop.rank),
    (array_agg(nullif(stop.name, '') order by stop.rank) filter (where stop.name <> ''))[1],
    bool_or(stop.repaired),
    (array_agg(stop.geom order by stop.rank))[1]
from member
inner join stop on member.class = stop.class and member.rank = stop.rank
group by member.class, member.first
order by member.class, member.first
"""

# The order of <-> is that of degrees: its first edges give a radius, and the nearest is looked for within that. Of
# edges that are equally near (to %(alike)s metres), such as those at a junction, the one in the largest part counts.
DESTINATION_PARTS = """
update destination
set car_part = near.car_part
from (
    select
        destination.class,
        destination.osm_key,
        (
            select min(edge.car_part) filter (where edge.metres <= least(edge.least + %(alike)s, %(farthest)s))
            from (
                select
                    road_edge.car_part,
                    ST_Distance(road_edge.geom::geography, destination.geog) as metres,
                    min(ST_Distance(road_edge.geom::geography, destination.geog)) over () as least
                from road_edge
                where
                    (road_edge.car_forward_kmh is not null or road_edge.car_backward_kmh is not null)
                    and road_edge.geom && ST_Expand(
                        destination.geom,
                        guess.metres / (110000 * cos(radians(ST_Y(destination.geom)))),
                        guess.metres / 110000
                    )
            ) as edge
        ) as car_part
    from destination
    cross join lateral (
        select min(ST_Distance(first.geom::geography, destination.geog)) + 1 as metres
        from (
            select road_edge.geom
            from road_edge
            where road_edge.car_forward_kmh is not null or road_edge.car_backward_kmh is not null
            order by road_edge.geom <-> destination.geom
            limit 4
        ) as first
    ) as guess
    where guess.metres <= 10 * %(farthest)s
) as near
where destination.class = near.class and destination.osm_key = near.osm_key
"""

# What lies beyond the outline, in small pieces.
CUT_BEYOND = """
create temporary table beyond as
select
    ST_Subdivide(ST_Difference(ST_MakeEnvelope(-180, -90, 180, 90, 4326), %(outline)s::geometry), 256) as geom
"""
INDEX_BEYOND = "create index on beyond using gist (geom)"
DROP_BEYOND = "drop table beyond"


def mark_at_edge(layer: str) -> str:
    """Mark the areas of a layer that reach into `beyond` by more than %(slack)s square degrees.

    Most areas meet none of its pieces; of the others only the part in a piece is made.
    """
    return f"""
update {layer}
set at_edge = true
where osm_key in (
    select area.osm_key
    from beyond
    inner join {layer} as area on ST_Intersects(beyond.geom, area.geom)
    where
        ST_Dimension(area.geom) = 2
        and ST_Area(ST_Intersection(area.geom, beyond.geom)) > %(slack)s
)
"""


FAULTS = """
with near_or_own as (
    select osm_key, case when housenumber is null and street is null then 'near' else 'own' end as source
    from poi
    where exists (select from address) or housenumber is not null or street is not null
),

faults as (
    select 'has no address' as fault, near_or_own.osm_key
    from near_or_own
    left join poi_address on near_or_own.osm_key = poi_address.osm_key
    where poi_address.osm_key is null
    union all
    select 'has an address that it should not have', poi_address.osm_key
    from poi_address
    left join near_or_own on poi_address.osm_key = near_or_own.osm_key and poi_address.source = near_or_own.source
    where near_or_own.osm_key is null
    union all
    select 'has an address that is not in the map', poi_address.osm_key
    from poi_address
    left join address on poi_address.address_key = address.osm_key
    where poi_address.address_key is not null and address.osm_key is null
    union all
    select 'lies in a region that is not in the map', poi_region.osm_key
    from poi_region
    left join region on poi_region.region_key = region.osm_key
    left join poi on poi_region.osm_key = poi.osm_key
    where region.osm_key is null or poi.osm_key is null
)

select osm_key, fault
from faults
order by fault, osm_key
limit 5
"""
