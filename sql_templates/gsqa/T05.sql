/*
id: T5
version: 2
title: name of the nearest place of a category
answer_type: name
scorer: name
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: food_category}
derive: nearest_name
phrasings: nearest_name
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi]
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
        st_distance(anchor.geog, candidate.geog) as distance
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
) as near
where anchor.osm_key = :anchor
order by place
limit 3
