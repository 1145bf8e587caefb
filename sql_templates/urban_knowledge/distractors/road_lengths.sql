-- The lengths, in metres, of the roads that are asked about: as in named_road and Query_Length, inside the outline.
with outline as materialized (
    select st_geomfromwkb(decode(:outline, 'hex'), 4326) as geom
),
named as (
    select
        min(road.osm_key) as osm_key,
        sum(st_length(road.geog) order by road.osm_key) as value,
        count(*) over (
            partition by
                replace(
                    lower(btrim(regexp_replace(normalize(road.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss'
                )
        ) as namesakes
    from road
    cross join outline
    where
        road.drivable
        and btrim(road.name) <> ''
    group by road.name
    having
        bool_and(st_containsproperly(outline.geom, road.geom))
        and not bool_or(road.repaired)
)
select
    row_number() over (order by md5(named.osm_key)) as place,
    named.value
from named
where named.namesakes = 1
order by place
limit 5000
