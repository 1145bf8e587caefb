"""The statements that tell which questions a change from one map to the next could change.

Values by binds; schema names are quoted by app.db.naming. Every statement is for all questions of one map at once.
"""

from collections.abc import Sequence

from app.db.naming import quoted
from app.questions.readings import TAGS_OF_READINGS
from app.questions.refresh.queries import LAYERS

CHANGED_NAMES = """
select
    osm_key,
    names
from trigpoint.snapshot_change
where
    comparison_id = %(comparison_id)s
    and names <> '{}'
"""

CHANGED_CLASSES = """
select distinct
    layer,
    class
from trigpoint.snapshot_change
cross join unnest(classes) as class
where comparison_id = %(comparison_id)s
"""

CHANGED_FACTS = """
select distinct differing.osm_key
from (
    select
        map_fact.osm_key,
        (to_jsonb(map_fact) - 'set_id' - 'retrieved_at')::text as told
    from trigpoint.map_fact
    where map_fact.set_id in (%(old)s, %(new)s)
    group by 1, 2
    having count(*) = 1
) as differing
"""
"""Places of which the two sets of facts do not say the same, whenever it was read."""

OUTLINES_DIFFER = """
select
    not st_equals(maps.old, maps.new) as differ
from (
    select
        st_geomfromwkb(decode(%(old)s, 'hex'), 4326) as old,
        st_geomfromwkb(decode(%(new)s, 'hex'), 4326) as new
) as maps
"""


def changed_objects(old: str, new: str, layers: Sequence[str]) -> str:
    """Objects of which the content differs, or that are on one map only.

    `drawn`: class or shape differs, or it is on one map only, or the links that make a region known differ, or a tag by
    which a reading leaves it out; `renamed`: the name differs.
    """
    return "\nunion all\n".join(
        f"""
select
    change.layer,
    change.osm_key,
    coalesce(
        {_classed("old", layer)} is distinct from {_classed("new", layer)}
        or st_asbinary(old.geom) <> st_asbinary(new.geom){_other_ground(old, new, layer, layers)},
        true
    ) as drawn,
    old.name is distinct from new.name as renamed
from trigpoint.snapshot_change as change
left join {quoted(old)}.{layer} as old on change.osm_key = old.osm_key
left join {quoted(new)}.{layer} as new on change.osm_key = new.osm_key
where
    change.comparison_id = %(comparison_id)s
    and change.layer = '{layer}'
"""
        for layer in LAYERS
        if layer in layers
    )


def _classed(side: str, layer: str) -> str:
    classes = f"{side}.classes" if layer == "poi" else f"{side}.class"
    known = f", {side}.wikidata, {side}.wikipedia, {side}.tags -> 'wikidata'" if layer == "region" else ""
    left_out = "".join(f", {side}.tags -> '{tag}'" for tag in TAGS_OF_READINGS)
    return f"({classes}, {side}.repaired{known}{left_out})"


def _other_ground(old: str, new: str, layer: str, layers: Sequence[str]) -> str:
    """Or whether a place is an area on one map only, or another one; nothing where no map tells the areas of places."""
    if layer != "poi" or "poi_area" not in layers:
        return ""
    before, after = (
        f"(select poi_area.content_hash from {quoted(schema)}.poi_area where poi_area.osm_key = change.osm_key)"
        for schema in (old, new)
    )
    return f"""
        or {before} is distinct from {after}"""


def sizes(old: str, new: str, layers: Sequence[str]) -> str:
    """Of changed objects that a map's largest or longest may be: how large at most, on either map, wherever they end.

    Square metres of an area; of a line metres of all lines that have a name that it has or had.
    """
    both = (old, new)
    areas = (
        f"""
select
    change.layer,
    change.osm_key,
    st_area(thing.geom::geography) as size
from trigpoint.snapshot_change as change
inner join {quoted(schema)}.{layer} as thing on change.osm_key = thing.osm_key
where
    change.comparison_id = %(comparison_id)s
    and change.layer = '{layer}'
    and st_dimension(thing.geom) = 2
"""
        for layer in ("park", "water")
        if layer in layers
        for schema in both
    )
    lines = (
        f"""
select
    change.layer,
    change.osm_key,
    sum(st_length(alike.geom::geography)) as size
from trigpoint.snapshot_change as change
inner join {quoted(said)}.{layer} as thing on change.osm_key = thing.osm_key
inner join {quoted(measured)}.{layer} as alike on thing.name = alike.name
where
    change.comparison_id = %(comparison_id)s
    and change.layer = '{layer}'
group by change.layer, change.osm_key
"""
        for layer in ("road", "water")
        if layer in layers
        for said in both
        for measured in both
    )
    return f"""
select
    measured.layer,
    measured.osm_key,
    max(measured.size) as size
from ({"union all".join((*areas, *lines))}) as measured
group by measured.layer, measured.osm_key
"""


def changed_junctions(old: str, new: str) -> str:
    """Of nodes where named, drivable roads of two names meet on either map: those names, where any of it differs.

    The node itself, the ways that share it, or what one of these is called and whether it may be driven on.
    """
    met = "\nunion all\n".join(
        f"""
select
    node.node_id,
    array_agg(distinct road.name) as names
from {quoted(schema)}.road_node as node
inner join differing on node.node_id = differing.node_id
cross join unnest(node.way_ids) as way_id
inner join {quoted(schema)}.road on road.osm_key = 'w' || way_id
where road.drivable and btrim(road.name) <> ''
group by node.node_id
having count(distinct road.name) > 1
"""
        for schema in (old, new)
    )
    renamed_at = "\nunion\n".join(
        f"""
select node.node_id
from renamed
inner join {quoted(schema)}.road_node as node on node.way_ids @> array[renamed.osm_id]
"""
        for schema in (old, new)
    )
    return f"""
with renamed as (
    select coalesce(old.osm_id, new.osm_id) as osm_id
    from trigpoint.snapshot_change as change
    left join {quoted(old)}.road as old on change.osm_key = old.osm_key
    left join {quoted(new)}.road as new on change.osm_key = new.osm_key
    where
        change.comparison_id = %(comparison_id)s
        and change.layer = 'road'
        and (old.name, old.drivable) is distinct from (new.name, new.drivable)
),

differing as (
    select substr(osm_key, 2)::bigint as node_id
    from trigpoint.snapshot_change
    where comparison_id = %(comparison_id)s and layer = 'road_node'
    union
    {renamed_at}
)

{met}
"""


def changed_addresses(old: str, new: str) -> str:
    """Places whose address, own or nearest, is another on the new map."""
    return f"""
select coalesce(old.osm_key, new.osm_key) as osm_key
from {quoted(old)}.poi_address as old
full join {quoted(new)}.poi_address as new on old.osm_key = new.osm_key
where
    (
        old.source, old.address_key, old.distance_m, old.housenumber, old.street, old.suburb, old.city, old.postcode,
        old.state, old.country
    ) is distinct from (
        new.source, new.address_key, new.distance_m, new.housenumber, new.street, new.suburb, new.city, new.postcode,
        new.state, new.country
    )
"""


_ADDRESSES = {
    "poi": """
select address.text as address
from {schema}.poi
cross join lateral (
    values
    (concat_ws(', ', concat_ws(' ', housenumber, street), suburb, city, postcode)),
    (concat_ws(', ', concat_ws(' ', street, housenumber), suburb, city, postcode)),
    (concat_ws(', ', concat_ws(' ', housenumber, street), suburb, nullif(concat_ws(' ', postcode, city), ''))),
    (concat_ws(', ', concat_ws(' ', street, housenumber), suburb, nullif(concat_ws(' ', postcode, city), '')))
) as address (text)
where street is not null and osm_key = any(%(osm_keys)s)
""",
    "aoi": """
select address.text as address
from {schema}.aoi
cross join lateral (
    select
        coalesce(nullif(tags ->> 'addr:street', ''), nullif(tags ->> 'addr:place', '')) as street,
        nullif(tags ->> 'addr:housenumber', '') as housenumber,
        nullif(tags ->> 'addr:suburb', '') as suburb,
        nullif(tags ->> 'addr:city', '') as city,
        nullif(tags ->> 'addr:postcode', '') as postcode
) as said
cross join lateral (
    select
        concat_ws(' ', said.housenumber, said.street) as number_first,
        concat_ws(' ', said.street, said.housenumber) as street_first,
        nullif(concat_ws(' ', said.postcode, said.city), '') as postcode_first
) as part
cross join lateral (
    values
    (concat_ws(', ', part.number_first, said.suburb, said.city, said.postcode)),
    (concat_ws(', ', part.street_first, said.suburb, said.city, said.postcode)),
    (concat_ws(', ', part.number_first, said.suburb, part.postcode_first)),
    (concat_ws(', ', part.street_first, said.suburb, part.postcode_first))
) as address (text)
where osm_key = any(%(osm_keys)s) and tags ?| array['addr:street', 'addr:place']
""",
}


def addresses_of(layer: str, schema: str) -> str:
    """The addresses that some objects say, as options write them, in every order that a country has."""
    return _ADDRESSES[layer].format(schema=quoted(schema))


def namesakes_of(layer: str, schema: str) -> str:
    """All objects of a map that are named to the letter as any of `names`."""
    return f"select osm_key from {quoted(schema)}.{layer} where name = any(%(names)s)"


def reading_alike(layer: str, schema: str) -> str:
    """All objects of a map whose names picks take for one with any of `names`."""
    return f"""
select osm_key
from {quoted(schema)}.{layer}
where
    name is not null
    and {_form("name")} in (select {_form("said")} from unnest(%(names)s::text[]) as said)
"""


def _form(name: str) -> str:
    return f"replace(lower(btrim(regexp_replace(normalize({name}, nfkc), '\\s+', ' ', 'g'))), 'ß', 'ss')"


FIRST_COUNTRY = "select country from poi where country is not null order by osm_key limit 1"
"""Of the map in the search path."""

CLASSES_THERE = "select distinct class from poi_class"
"""Of the map in the search path."""

_NEAR = """
    case
        when watch.metres > 100 and st_dimension({object}.geom) = 0
            then st_dwithin({change}::geography, {object}.geog, watch.metres * 1.001 + 1)
        else
            st_dwithin(
                {change},
                {object}.geom,
                watch.metres / (111000 * greatest(0.01, cos(radians(least(89, abs(st_ymax({object}.geom)) + 0.1)))))
            )
    end
"""
"""Circles are told on the spheroid; what is nearer than 100 m, and what lines and areas touch, in lon/lat, where edges
are straight as they are for the templates: in degrees of longitude, which reach farther north and south than asked."""

_WATCHED = """
unnest(
    %(numbers)s::integer[],
    %(layers)s::text[],
    %(classes)s::text[],
    %(osm_keys)s::text[],
    %(metres)s::double precision[],
    %(named)s::boolean[],
    %(least)s::double precision[]
) as watch (number, layer, class, osm_key, metres, named, least)
"""


def watched_changes(layer: str, schema: str) -> str:
    """Of watches of objects of one layer of the old map: those near which something changed that they watch for."""
    return f"""
select distinct watch.number
from {_WATCHED}
inner join {quoted(schema)}.{layer} as thing on watch.osm_key = thing.osm_key
cross join lateral (
    select
        watch.metres / 110000 as high,
        watch.metres / (111000 * greatest(0.01, cos(radians(least(89, abs(st_ymax(thing.geom)) + 0.1))))) as wide
) as reach
cross join lateral (
    select st_expand(thing.geom, 1.01 * reach.wide + 1e-6, 1.01 * reach.high + 1e-6) as box
) as around
inner join trigpoint.snapshot_change as change
    on
        change.comparison_id = %(comparison_id)s
        and change.layer = watch.layer
        and (watch.class = '' or watch.class = any(change.classes))
        and (change.names <> '{{}}' or not watch.named)
        and (change.area && around.box or st_xmax(around.box) > 180 or st_xmin(around.box) < -180)
left join
    unnest(%(sized_layers)s::text[], %(sized_keys)s::text[], %(sizes)s::double precision[])
        as sized (layer, osm_key, size)
    on change.layer = sized.layer and change.osm_key = sized.osm_key
where
    change.osm_key <> all(%(ignored)s)
    and (watch.least <= 0 or coalesce(sized.size, 'infinity') >= watch.least)
    and {_NEAR.format(object="thing", change="change.area")}
"""


def watched_outline(layer: str, schema: str) -> str:
    """Of watches of objects of one layer of the old map: those near which the map's outline is another.

    Edges of an outline are straight in lon/lat, and are cut as those are from which room around an anchor is measured.
    """
    return f"""
with moved as materialized (
    select
        st_segmentize(
            st_symdifference(
                st_geomfromwkb(decode(%(old)s, 'hex'), 4326), st_geomfromwkb(decode(%(new)s, 'hex'), 4326)
            ),
            0.01
        ) as geom
)

select distinct watch.number
from {_WATCHED}
inner join {quoted(schema)}.{layer} as thing on watch.osm_key = thing.osm_key
cross join moved
where {_NEAR.format(object="thing", change="moved.geom")}
"""
