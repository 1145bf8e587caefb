-- Places as in unique_poi with a street of their own, inside a named area and with three named places around. The label
-- gives what lies around, without coordinates: the address, the smallest area, the three nearest named places.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.class,
        concat_ws(
            ', ', concat_ws(' ', poi.housenumber, poi.street), poi.suburb, poi.city, poi.postcode
        ) as address,
        poi.street,
        poi.repaired,
        poi.geom,
        poi.geog,
        count(*) over (partition by replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')) as namesakes
    from poi
    where poi.name is not null
)
select
    named.osm_key as value,
    named.name
    || ' (' || replace(named.class, '_', ' ')
    || ' at ' || named.address
    || ', in ' || area.name
    || ', nearest to ' || around.names || ')' as label,
    named.name as name
from named
cross join lateral (
    select aoi.name
    from aoi
    where
        aoi.geom && named.geom
        and st_covers(aoi.geom, named.geom)
        and not aoi.repaired
    order by aoi.area_m2, aoi.osm_key
    limit 1
) as area
cross join lateral (
    select
        string_agg(near.name, ', ' order by near.distance, near.osm_key) as names,
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
            limit 8
        ) as candidate
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
