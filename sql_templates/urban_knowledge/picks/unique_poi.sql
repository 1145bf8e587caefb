-- Named places whose name no other place of the map has.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.class,
        poi.street,
        poi.housenumber,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        count(*) over (partition by replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')) as namesakes
    from poi
    where poi.name is not null
)
select
    named.osm_key as value,
    named.name
    || ' ('
    || concat_ws(
        ', ',
        replace(named.class, '_', ' '),
        case when named.street is not null then concat_ws(' ', named.street, named.housenumber) end
    )
    || ')' as label,
    named.name as name,
    named.lon,
    named.lat
from named
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
