-- Places of one class, with a street of their own, that stay hidden: the label gives the street, the smallest named area
-- around (but for the place's own and for namesakes) and the classes of the eight nearest places within 200 m. Options are the classes of those places whose scene has no other
-- of their class: only these are keys.
select
    poi.osm_key as value,
    poi.street,
    area.name as area,
    around.kinds,
    concat_ws(' ', poi.street, area.name) as said,
    poi.name as name,
    poi.class,
    not around.holds_it as is_option,
    concat_ws(' ', poi.street, area.name) as question_says
from poi
left join lateral (
    select
        aoi.name
    from aoi
    where
        aoi.geom && poi.geom
        and st_covers(aoi.geom, poi.geom)
        and not aoi.repaired
        and aoi.osm_key <> poi.osm_key
        and aoi.name is distinct from poi.name
    order by aoi.area_m2, aoi.osm_key
    limit 1
) as area on true
cross join lateral (
    select
        array_agg(near.class order by near.distance, near.osm_key) as kinds,
        bool_or(poi.class = any(near.classes)) as holds_it,
        count(*) as number
    from (
        select
            candidate.osm_key,
            candidate.class,
            candidate.classes,
            round(st_distance(poi.geog, candidate.geog)::numeric, 3) as distance
        from (
            select
                other.osm_key,
                other.class,
                other.classes,
                other.geog
            from poi as other
            where other.osm_key <> poi.osm_key
            order by other.geog <-> poi.geog
            limit 16
        ) as candidate
        where st_distance(poi.geog, candidate.geog) <= 200
        order by distance, candidate.osm_key
        limit 8
    ) as near
) as around
where
    poi.street is not null
    and cardinality(poi.classes) = 1
    and poi.class not in (
        'amenity', 'craft', 'healthcare', 'historic', 'leisure', 'office', 'railway', 'shop', 'tourism'
    )
    and not poi.repaired
    and around.number >= 3
order by poi.osm_key
