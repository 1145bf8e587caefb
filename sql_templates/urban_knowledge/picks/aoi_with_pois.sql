-- Named areas, as in unique_aoi, that cover at least five points of interest.
with named as (
    select
        aoi.osm_key,
        aoi.name,
        aoi.repaired,
        aoi.at_edge,
        aoi.geom,
        (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) as namesakes
    from aoi
)
select
    named.osm_key as value,
    named.name as label,
    named.name as name
from named
where
    named.namesakes = 1
    and not named.repaired
    and not named.at_edge
    and (
        select count(*)
        from poi
        where
            poi.geom && named.geom
            and st_covers(named.geom, poi.geom)
    ) >= 5
order by named.osm_key
