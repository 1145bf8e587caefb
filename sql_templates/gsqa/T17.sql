/*
id: T17
version: 1
title: location of the nearest place of a category
answer_type: location
scorer: location
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: food_category}
derive: nearest_location
phrasings: nearest_location
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, address]
search: circle
*/
-- Eight nearest on the sphere by the index, then in order on the spheroid: the two orders differ by a hair.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*
from poi as anchor
cross join lateral (
    select
        candidate.osm_key,
        candidate.name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance,
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
            poi.geog
        from poi
        where
            poi.classes && string_to_array(:category, ',')
            and poi.osm_key <> anchor.osm_key
        order by poi.geog <-> anchor.geog
        limit 8
    ) as candidate
    left join poi_address on candidate.osm_key = poi_address.osm_key
) as near
where anchor.osm_key = :anchor
order by place
limit 3
