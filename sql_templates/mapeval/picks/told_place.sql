-- Places as in place.sql of which the map tells something that Attribute_Of asks about.
select
    poi.osm_key as value,
    poi.name as name,
    poi.class,
    poi.tags ->> 'brand' as brand,
    poi.tags ->> 'cuisine' as cuisine,
    poi.tags ->> 'religion' as religion,
    poi.tags ->> 'smoking' as smoking,
    poi.tags ->> 'sport' as sport,
    poi.tags ->> 'stars' as stars,
    poi.tags ->> 'wheelchair' as wheelchair
from poi
where
    btrim(poi.name) <> ''
    and not poi.repaired
    and coalesce(
        poi.tags ->> 'brand',
        poi.tags ->> 'cuisine',
        poi.tags ->> 'religion',
        poi.tags ->> 'smoking',
        poi.tags ->> 'sport',
        poi.tags ->> 'stars',
        poi.tags ->> 'wheelchair'
    ) is not null
    and (
        select count(*)
        from place_name
        where place_name.form = replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
    ) = 1
order by poi.osm_key
