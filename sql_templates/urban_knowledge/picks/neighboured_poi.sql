-- Named places whose name no other place of the map has. The option is the name of the nearest other one, where that is
-- clearly nearest and nothing else on the map has its name, but for roads. Options are of one neighbourhood: 0.05 degrees by 0.03.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.class,
        poi.street,
        poi.housenumber,
        poi.state,
        poi.country,
        poi.repaired,
        poi.geom,
        poi.geog,
        count(*) over (partition by replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')) as namesakes
    from poi
    where poi.name is not null
),
nearest as (
    select
        named.osm_key as subject_key,
        near.*,
        row_number() over (partition by named.osm_key order by near.distance, near.osm_key) as turn,
        lead(near.distance) over (partition by named.osm_key order by near.distance, near.osm_key) as next_distance
    from named
    cross join lateral (
        select
            poi.osm_key,
            poi.geom,
            st_distance(named.geog, poi.geog) as distance
        from poi
        where
            poi.name is not null
            and poi.osm_key <> named.osm_key
        order by poi.geog <-> named.geog
        limit 8
    ) as near
    where named.namesakes = 1
),

map as (
    -- the country that the first place to name one names: it tells whether a house number stands before its street
    select
        (
            select poi.country
            from poi
            where poi.country is not null
            order by poi.osm_key
            limit 1
        ) as country
)

select
    named.osm_key as value,
    named.name as name,
    named.class,
    named.street,
    named.housenumber,
    named.state,
    coalesce(named.country, map.country) as country,
    other.name as option,
    nearest.osm_key as option_key,
    concat_ws(' ', floor(st_x(nearest.geom) / 0.05), floor(st_y(nearest.geom) / 0.03)) as option_kind
from named
cross join map
left join nearest
    on
        named.osm_key = nearest.subject_key
        and nearest.turn = 1
        and nearest.next_distance - nearest.distance >= greatest(10, 0.02 * nearest.distance)
left join named as other
    on
        nearest.osm_key = other.osm_key
        and other.namesakes = 1
        and not other.repaired
        and (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(other.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) = 1
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
