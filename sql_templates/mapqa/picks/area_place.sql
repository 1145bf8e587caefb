-- Places as in place.sql that are mapped as areas.
select
    poi.osm_key as value,
    poi.name as name,
    poi.class
from poi
inner join poi_area on poi.osm_key = poi_area.osm_key
where
    not poi.repaired
    and not poi_area.repaired
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
