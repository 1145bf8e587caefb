-- Places that a question can measure from: of a class people travel to, with a name that no other place has.
-- Wide grounds (parks, campuses …) only where they are mapped as a point: nobody could say from where to measure.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.class,
        poi.street,
        poi.housenumber,
        poi.city,
        poi.is_area,
        poi.repaired,
        poi.geom,
        count(*) over (partition by lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g')))) as namesakes
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
        case when named.street is not null then concat_ws(' ', named.street, named.housenumber) end,
        named.city
    )
    || ')' as label,
    named.name as name,
    named.class as class,
    st_x(named.geom) as lon,
    st_y(named.geom) as lat
from named
where
    named.namesakes = 1
    and not named.repaired
    and (
        named.class in ('attraction', 'viewpoint', 'art_gallery', 'museum', 'gallery', 'hotel')
        or (
            not named.is_area
            and named.class in (
                'aquarium', 'theme_park', 'zoo', 'university', 'park', 'nature_reserve', 'garden', 'stadium', 'hospital'
            )
        )
    )
order by named.osm_key
