-- Places as in place.sql, where the map is large enough for ways of 500 m: named places whose name nothing else on the map has, but for roads, of a kind that people speak of.
select
    poi.osm_key as value,
    poi.name as label,
    poi.name as name,
    poi.class,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from poi
where
    btrim(poi.name) <> ''
    and (
        select
            st_distance(
                st_setsrid(st_makepoint(st_xmin(whole.box), st_ymin(whole.box)), 4326)::geography,
                st_setsrid(st_makepoint(st_xmax(whole.box), st_ymax(whole.box)), 4326)::geography
            )
        from (select st_extent(place.geom) as box from poi as place) as whole
    ) >= 500
    and not poi.repaired
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
