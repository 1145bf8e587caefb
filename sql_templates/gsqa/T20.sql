/*
id: T20
version: 1
title: location of the nearest place of a category in the direction of another
answer_type: location
scorer: location
dimension: nearest and towards
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  towards: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: food_category}
derive: nearest_location_in_sector
phrasings: nearest_location_towards
constants: {half_width: 22.5, edge: 1, apart_least: 600, apart_most: 50000}
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, address]
search: circle
*/
-- `aside` is the signed angle from the bearing towards the second anchor, in [-180, 180]; the sector is
-- -22.5 <= aside < 22.5. One row without a place says how far the anchors are apart where nothing is found.
-- Places up to one degree outside come along, so that the derivation can see what is doubtful.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    goal.apart,
    near.*
from poi as anchor
cross join lateral (
    select
        st_distance(anchor.geog, poi.geog) as apart,
        degrees(st_azimuth(anchor.geog, poi.geog)) as bearing
    from poi
    where poi.osm_key = :towards
) as goal
left join lateral (
    select
        candidate.osm_key,
        candidate.name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance,
        candidate.aside,
        case
            when poi_address.osm_key is not null
                then jsonb_strip_nulls(
                    jsonb_build_object(
                        'source', poi_address.source,
                        'osm_key', case when poi_address.source = 'near' then poi_address.address_key end,
                        'metres', case when poi_address.source = 'near' then poi_address.distance_m end,
                        'housenumber', poi_address.housenumber,
                        'street', poi_address.street,
                        'suburb', poi_address.suburb,
                        'city', poi_address.city,
                        'postcode', poi_address.postcode,
                        'state', poi_address.state,
                        'country', poi_address.country
                    )
                )
        end as address
    from (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            poi.geom,
            poi.geog,
            turned.aside - 360 * round(turned.aside / 360) as aside
        from poi
        cross join lateral (
            select degrees(st_azimuth(anchor.geog, poi.geog)) - goal.bearing as aside
        ) as turned
        where
            poi.classes && string_to_array(:category, ',')
            and poi.osm_key <> anchor.osm_key
            and abs(turned.aside - 360 * round(turned.aside / 360)) <= :half_width + :edge
            and goal.apart between :apart_least and :apart_most
        order by poi.geog <-> anchor.geog
        limit 12
    ) as candidate
    left join poi_address on candidate.osm_key = poi_address.osm_key
) as near on true
where anchor.osm_key = :anchor
order by place
limit 8
