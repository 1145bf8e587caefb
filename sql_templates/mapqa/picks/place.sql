-- Named places whose name nothing else on the map has, but for roads. A name of fewer than three letters, such as "10", is
-- that of a stop and tells no place.
select
    poi.osm_key as value,
    poi.name as name,
    poi.class
from poi
where
    not poi.repaired
    and poi.name ~ '[[:alpha:]].*[[:alpha:]].*[[:alpha:]]'
    and poi.class not in (
        'shop', 'office', 'craft', 'healthcare', 'tourism', 'historic', 'amenity', 'leisure', 'railway',
        'attraction', 'company', 'building', 'yes', 'other'
    )
    and (
        select count(*)
        from place_name
        where place_name.form = replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
    ) = 1
order by poi.osm_key
