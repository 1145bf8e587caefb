"""The statements of what lies around a point, on the tables of the snapshot that is first in search_path.

An index gives the nearest on the sphere; how far the farthest of these is on the spheroid bounds a second search, whose
order is exact. Values by binds.
"""

from sqlalchemy import text

_POINT = "cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)"

NEAREST_DOOR = text(f"""
with guess as (
    select st_distance(address.geog, {_POINT}) as metres
    from address
    order by address.geog <-> {_POINT}
    limit 1
)

select
    address.osm_key,
    address.housenumber,
    address.street,
    address.postcode,
    address.city,
    st_distance(address.geog, {_POINT}) as metres
from guess
inner join address on st_dwithin(address.geog, {_POINT}, guess.metres + 0.001)
order by metres, address.osm_key
limit 1
""")

NEAREST_STREET = text(f"""
with guess as (
    select st_distance(road.geog, {_POINT}) as metres
    from road
    where road.name is not null
    order by road.geog <-> {_POINT}
    limit 1
)

select
    road.osm_key,
    road.name,
    st_distance(road.geog, {_POINT}) as metres
from guess
inner join road on st_dwithin(road.geog, {_POINT}, guess.metres + 0.001)
where road.name is not null
order by metres, road.osm_key
limit 1
""")

CLASSES = text("""
select
    'poi' as layer,
    poi_class.class as type
from poi_class
where poi_class.class = any(cast(:types as text[]))
union
select
    'park' as layer,
    park.class as type
from park
where park.class = any(cast(:types as text[]))
union
select
    'water' as layer,
    water.class as type
from water
where water.class = any(cast(:types as text[]))
""")

ALL_CLASSES = text("""
select poi.class as type
from poi
union
select park.class as type
from park
union
select water.class as type
from water
order by type
""")

_WANTED = """
            and {row}.osm_key is distinct from :but
            and (not :with_hours or jsonb_exists({row}.tags, 'opening_hours'))
            and not exists (
                select 1
                from jsonb_each_text(cast(:attributes as jsonb)) as wanted
                where
                    not coalesce(
                        lower({row}.tags ->> wanted.key) = wanted.value
                        or wanted.value = any(
                            regexp_split_to_array(lower({row}.tags ->> wanted.key), '\\s*;\\s*')
                        ),
                        false
                    )
            )
"""

# Of one class: the nearest of the index, then all that are no farther.
NEAREST_POIS = text(
    f"""
with guess as (
    select max(st_distance(found.geog, {_POINT})) as metres
    from (
        select poi_class.geog
        from poi_class
        inner join poi on poi_class.osm_key = poi.osm_key
        where
            poi_class.class = :type
            and st_dwithin(poi_class.geog, {_POINT}, :radius)
"""
    + _WANTED.format(row="poi")
    + f"""
        order by poi_class.geog <-> {_POINT}
        limit :most
    ) as found
)

select
    poi.osm_key,
    st_distance(poi_class.geog, {_POINT}) as metres
from guess
inner join poi_class on st_dwithin(poi_class.geog, {_POINT}, least(guess.metres + 0.001, :radius))
inner join poi on poi_class.osm_key = poi.osm_key
where
    poi_class.class = :type
"""
    + _WANTED.format(row="poi")
    + """
order by metres, poi.osm_key
limit :most
"""
)


def _nearest_areas(layer: str) -> str:
    return (
        f"""
with guess as (
    select max(st_distance(found.geog, {_POINT})) as metres
    from (
        select {layer}.geog
        from {layer}
        where
            {layer}.class = :type
            and st_dwithin({layer}.geog, {_POINT}, :radius)
"""
        + _WANTED.format(row=layer)
        + f"""
        order by {layer}.geog <-> {_POINT}
        limit :most
    ) as found
)

select
    {layer}.osm_key,
    st_distance({layer}.geog, {_POINT}) as metres
from guess
inner join {layer} on st_dwithin({layer}.geog, {_POINT}, least(guess.metres + 0.001, :radius))
where
    {layer}.class = :type
"""
        + _WANTED.format(row=layer)
        + f"""
order by metres, {layer}.osm_key
limit :most
"""
    )


NEAREST_PARKS = text(_nearest_areas("park"))
NEAREST_WATERS = text(_nearest_areas("water"))

# Places within the radius whose name, brand, cuisine or class says the keyword.
BY_KEYWORD = text(
    f"""
select
    poi.osm_key,
    st_distance(poi.geog, {_POINT}) as metres
from poi
where
    st_dwithin(poi.geog, {_POINT}, :radius)
    and (
        exists (
            select 1
            from search_name
            where
                search_name.osm_key = poi.osm_key
                and search_name.form like :keyword
        )
        or lower(concat_ws(';', array_to_string(poi.classes, ';'), poi.tags ->> 'cuisine', poi.tags ->> 'brand'))
        like :keyword
    )
"""
    + _WANTED.format(row="poi")
    + """
order by metres, poi.osm_key
limit :most
"""
)

# Whether all points within :metres of the point lie in the outline.
DISTANCE_TO_EDGE = text(f"""
select
    not st_dwithin(
        cast(st_boundary(st_setsrid(cast(:outline as geometry), 4326)) as geography), {_POINT}, :metres
    ) as is_inside
""")
