-- Roads: the drivable ways of one name, under the first of their keys. No other drivable road's name reads alike.
-- `inside`: no way meets the outline's edge, beyond which a road might go on.
with outline as materialized (
    select st_geomfromwkb(decode(:outline, 'hex'), 4326) as geom
),
named as (
    select
        min(road.osm_key) as osm_key,
        road.name,
        bool_and(st_containsproperly(outline.geom, road.geom)) as inside
    from road
    cross join outline
    where
        road.drivable
        and btrim(road.name) <> ''
    group by road.name
),
compared as (
    select
        named.*,
        count(*) over (
            partition by
                replace(
                    lower(btrim(regexp_replace(normalize(named.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss'
                )
        ) as namesakes
    from named
)
select
    compared.osm_key as value,
    compared.name as label,
    compared.name as name,
    coalesce(compared.inside, false) as inside
from compared
where compared.namesakes = 1
order by compared.osm_key
