-- Named areas whose name nothing else on the map has, but for roads, and that do not reach beyond the map.
with named as (
    select
        aoi.osm_key,
        aoi.name,
        aoi.repaired,
        aoi.at_edge,
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
order by named.osm_key
