-- Named places whose name no other place of the map has.
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
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        count(*) over (partition by replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')) as namesakes
    from poi
    where poi.name is not null
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
    named.lon,
    named.lat
from named
cross join map
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
