-- Places as in amenity_place.sql, told by their names alone: what they are is asked.
select
    poi.osm_key as value,
    poi.name as name,
    poi.name as label
from poi
where
    not poi.repaired
    and poi.class = poi.tags ->> 'amenity'
    and poi.class in (
        'arts_centre', 'atm', 'bank', 'bar', 'cafe', 'casino', 'cinema', 'clinic',
        'community_centre', 'dentist', 'doctors', 'fast_food', 'fire_station', 'fuel', 'hospital', 'kindergarten',
        'library', 'nightclub', 'pharmacy', 'place_of_worship', 'police', 'post_office', 'pub', 'restaurant',
        'school', 'theatre', 'townhall', 'university'
    )
    and poi.name ~ '[[:alpha:]].*[[:alpha:]].*[[:alpha:]]'
    and (
        select count(*)
        from place_name
        where place_name.form = replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
    ) = 1
order by poi.osm_key
