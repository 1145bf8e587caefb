-- Named areas whose name nothing else on the map has, but for roads, and that lie in the map whole.
select
    aoi.osm_key as value,
    aoi.name as name,
    aoi.name
    || ' (land use: '
    || lower(regexp_replace(replace(aoi.class, '&', ' and '), '([a-z])([A-Z])', '\1 \2', 'g'))
    || ')' as label
from aoi
where
    btrim(aoi.name) <> ''
    and not aoi.repaired
    and not aoi.at_edge
    and (
        select count(*)
        from place_name
        where place_name.form = replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
    ) = 1
order by aoi.osm_key
