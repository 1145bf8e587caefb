-- Named places whose name no other place of the map has. The option is the smallest named area around a place, where no
-- area around it bears the place's name, and nothing else on the map has the area's (`shared_name`), but for roads.
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
    case
        when not exists (
            select
            from aoi as namesake
            where
                namesake.geom && named.geom
                and st_covers(namesake.geom, named.geom)
                and lower(namesake.name) = lower(named.name)
        )
        and area.namesakes = 1
            then area.name
    end as option,
    area.namesakes > 1 as shared_name,
    area.osm_key as option_key
from named
cross join map
left join lateral (
    select
        aoi.osm_key,
        aoi.name,
        (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) as namesakes
    from aoi
    where
        aoi.geom && named.geom
        and st_covers(aoi.geom, named.geom)
    order by aoi.area_m2, aoi.osm_key
    limit 1
) as area on true
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
