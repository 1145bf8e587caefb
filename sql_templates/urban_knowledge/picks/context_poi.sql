-- Places as in unique_poi with a street of their own and three named places around. The label gives what lies around,
-- without coordinates: the address, the smallest named area if there is one, the three nearest named places. What is
-- the place itself, or has a name that holds the place's or lies in it, is no hint.
with named as (
    select
        poi.osm_key,
        poi.name,
        spelt.form,
        poi.class,
        poi.street,
        poi.housenumber,
        poi.suburb,
        poi.city,
        poi.postcode,
        poi.state,
        poi.country,
        poi.repaired,
        poi.geom,
        poi.geog,
        count(*) over (partition by spelt.form) as namesakes
    from poi
    cross join lateral (
        select replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
    ) as spelt
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
    named.suburb,
    named.city,
    named.postcode,
    named.state,
    coalesce(named.country, map.country) as country,
    area.name as area,
    around.names
from named
cross join map
left join lateral (
    select aoi.name
    from aoi
    cross join lateral (
        select replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
    ) as spelt
    where
        aoi.geom && named.geom
        and st_covers(aoi.geom, named.geom)
        and not aoi.repaired
        and aoi.osm_key <> named.osm_key
        and position(named.form in spelt.form) = 0
        and position(spelt.form in named.form) = 0
    order by aoi.area_m2, aoi.osm_key
    limit 1
) as area on true
cross join lateral (
    select
        array_agg(near.name order by near.distance, near.osm_key) as names,
        count(*) as number
    from (
        select
            candidate.osm_key,
            candidate.name,
            round(st_distance(named.geog, candidate.geog)::numeric, 3) as distance
        from (
            select
                poi.osm_key,
                poi.name,
                poi.geog
            from poi
            where
                btrim(poi.name) <> ''
                and poi.osm_key <> named.osm_key
            order by poi.geog <-> named.geog
            limit 24
        ) as candidate
        cross join lateral (
            select replace(lower(btrim(regexp_replace(normalize(candidate.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
        ) as spelt
        where
            position(named.form in spelt.form) = 0
            and position(spelt.form in named.form) = 0
        order by distance, candidate.osm_key
        limit 3
    ) as near
) as around
where
    named.namesakes = 1
    and named.street is not null
    and not named.repaired
    and around.number = 3
order by named.osm_key
