"""The statements by which a snapshot answers published questions: each is about all questions. Values by binds."""

from typing import Final

_FORM: Final = "replace(lower(btrim(regexp_replace(normalize({name}, nfkc), '\\s+', ' ', 'g'))), 'ß', 'ss')"
"""A name as people compare names."""
_KINDS: Final = """array_remove(
            array[{tags} ->> 'amenity', {tags} ->> 'leisure', {tags} ->> 'tourism', {tags} ->> 'shop'],
            null
        )"""
_LAYERS: Final = ("poi", "other_place", "park", "region", "water", "aoi")
"""In which places are looked for; an object may be in several, and the first counts."""


def _middle(layer: str) -> str:
    """Where the files would have an object: at its point, or in the middle of its area."""
    if layer == "poi":
        area = "select st_centroid(poi_area.geom) from poi_area where poi_area.osm_key = poi.osm_key"
        return f"coalesce(({area}), poi.geom)"
    return f"st_centroid({layer}.geom)"


def _object(place: int, layer: str) -> str:
    return f"""
    select
        wanted.place,
        {place} as layer,
        {layer}.osm_key,
        {layer}.name,
        {layer}.tags,
        {_middle(layer)} as geom,
        {_FORM.format(name=f"{layer}.name")} = wanted.form as is_named_so"""


def _by_place(place: int, layer: str) -> str:
    return f"""{_object(place, layer)}
    from wanted
    inner join {layer} on st_dwithin(wanted.geog, {layer}.geog, %(near)s)
    where {_FORM.format(name=f"{layer}.name")} = wanted.form"""


def _by_key(place: int, layer: str) -> str:
    return f"""{_object(place, layer)}
    from wanted
    cross join unnest(wanted.keys) as one (osm_key)
    inner join {layer} on one.osm_key = {layer}.osm_key"""


OBJECTS: Final = f"""
with outline as materialized (
    select
        coalesce(
            st_geomfromwkb(decode(%(outline)s, 'hex'), 4326),
            (select st_setsrid(st_extent(poi.geom)::geometry, 4326) from poi)
        ) as geom
),

wanted as materialized (
    select
        given.place,
        {_FORM.format(name="given.name")} as form,
        case
            when given.osm_id < 0 then array['r' || abs(given.osm_id)]
            else array['n' || given.osm_id, 'w' || given.osm_id]
        end as keys,
        st_setsrid(st_makepoint(given.lon, given.lat), 4326) as geom,
        st_setsrid(st_makepoint(given.lon, given.lat), 4326)::geography as geog
    from
        unnest(
            %(places)s::int [], %(names)s::text [], %(ids)s::bigint [], %(lons)s::float8 [], %(lats)s::float8 []
        ) as given (place, name, osm_id, lon, lat)
),

found as (
    {" union all ".join(_by_place(place, layer) for place, layer in enumerate(_LAYERS))}
    union all
    {" union all ".join(_by_key(place, layer) for place, layer in enumerate(_LAYERS))}
),

object as (
    select distinct on (found.place, found.osm_key) found.*
    from found
    order by found.place, found.osm_key, found.layer
)

select
    wanted.place,
    st_covers(outline.geom, wanted.geom) as is_inside,
    object.osm_key,
    object.name,
    object.osm_key = any(wanted.keys) as has_its_id,
    object.is_named_so,
    object.tags ->> 'amenity' as amenity,
    {_KINDS.format(tags="object.tags")} as kinds,
    st_x(object.geom) as lon,
    st_y(object.geom) as lat
from wanted
cross join outline
left join object on wanted.place = object.place
order by wanted.place, object.osm_key
"""
"""Objects within `near` metres that have the name of a place, and those with its id, wherever they are."""

_ANCHORS: Final = """
anchor as materialized (
    select
        given.item,
        given.osm_key,
        st_setsrid(st_makepoint(given.lon, given.lat), 4326) as geom,
        st_setsrid(st_makepoint(given.lon, given.lat), 4326)::geography as geog,
        st_transform(st_setsrid(st_makepoint(given.lon, given.lat), 4326), 3857) as plane
    from
        unnest(%(items)s::int [], %(keys)s::text [], %(lons)s::float8 [], %(lats)s::float8 []) as given (
            item, osm_key, lon, lat
        )
)"""


def _around(layer: str) -> str:
    return f"""
    select
        anchor.item,
        anchor.plane,
        anchor.osm_key = {layer}.osm_key as is_anchor,
        {layer}.osm_key,
        {layer}.name,
        {layer}.tags,
        {_middle(layer)} as geom
    from anchor
    inner join {layer} on st_dwithin(anchor.geog, {layer}.geog, %(look)s)"""


AROUND: Final = f"""
with {_ANCHORS},

near as (
    {_around("poi")}
    union all
    {_around("other_place")}
)

select
    measured.item,
    measured.osm_key,
    measured.is_anchor,
    measured.name,
    measured.amenity,
    measured.kinds,
    measured.metres
from (
    select
        near.*,
        near.tags ->> 'amenity' as amenity,
        {_KINDS.format(tags="near.tags")} as kinds,
        st_distance(near.plane, st_transform(near.geom, 3857)) as metres
    from near
) as measured
where measured.metres <= %(reach)s
order by measured.item, measured.metres, measured.osm_key
"""
"""What lies within `reach` metres of Web Mercator; areas are looked for within `look` metres, as they have a middle."""

NEAREST: Final = f"""
with {_ANCHORS},

asked as materialized (
    select
        anchor.*,
        given.kind,
        given.direction
    from
        unnest(%(of_items)s::int [], %(kinds)s::text [], %(directions)s::text []) as given (item, kind, direction)
    inner join anchor on given.item = anchor.item
),

place as materialized (
    select
        poi.osm_key,
        poi.name,
        poi.tags,
        {_middle("poi")} as geom
    from poi
    union all
    select
        other_place.osm_key,
        other_place.name,
        other_place.tags,
        other_place.geom
    from other_place
),

of_kind as materialized (
    select distinct
        place.osm_key,
        place.name,
        one.kind,
        place.geom,
        st_transform(place.geom, 3857) as plane
    from place
    cross join lateral unnest({_KINDS.format(tags="place.tags")}) as one (kind)
    where one.kind = any(%(kinds)s::text [])
)

select
    ranked.item,
    ranked.osm_key,
    ranked.name,
    ranked.metres
from (
    select
        asked.item,
        of_kind.osm_key,
        of_kind.name,
        st_distance(asked.plane, of_kind.plane) as metres,
        row_number() over (
            partition by asked.item
            order by st_distance(asked.plane, of_kind.plane), of_kind.osm_key
        ) as place
    from asked
    inner join of_kind
        on
            asked.kind = of_kind.kind
            and asked.osm_key is distinct from of_kind.osm_key
    where
        case asked.direction
            when 'north' then st_y(of_kind.geom) > st_y(asked.geom)
            when 'south' then st_y(of_kind.geom) < st_y(asked.geom)
            when 'east' then st_x(of_kind.geom) > st_x(asked.geom)
            when 'west' then st_x(of_kind.geom) < st_x(asked.geom)
            else true
        end
) as ranked
where ranked.place <= %(first)s
order by ranked.item, ranked.place
"""
"""The nearest places of a kind, on a side or on all, by metres of Web Mercator. A row each item and kind is asked."""

CROSSINGS: Final = """
with asked as materialized (
    select *
    from unnest(%(items)s::int [], %(firsts)s::text [], %(seconds)s::text []) as given (item, first, second)
),

way as materialized (
    select
        road.name,
        array_agg(road.osm_id) as ids
    from road
    where road.name = any(%(firsts)s::text [] || %(seconds)s::text [])
    group by road.name
)

select
    asked.item,
    one.ids is not null and other.ids is not null as has_both,
    shared.nodes,
    shared.lon,
    shared.lat
from asked
left join way as one on asked.first = one.name
left join way as other on asked.second = other.name
cross join lateral (
    select
        count(*) as nodes,
        min(st_x(node.geom)) as lon,
        min(st_y(node.geom)) as lat
    from road_node as node
    where
        node.way_ids && one.ids
        and node.way_ids && other.ids
) as shared
order by asked.item
"""
"""The node at which two roads meet; lon and lat are its own only where there is one."""

KEPT_KINDS: Final = """
select distinct poi.tags ->> 'amenity' as kind
from poi
where poi.tags ? 'amenity'
"""
"""Amenities of which layer poi keeps every one."""
