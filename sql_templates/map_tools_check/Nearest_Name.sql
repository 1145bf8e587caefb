/*
id: Nearest_Name
version: 2
title: name of the nearest place of a kind
answer_type: name
scorer: name
dimension: nearby
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: category}
derive: nearest_name
phrasings: nearest_name
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi]
search: circle
*/
-- Eight nearest on the sphere by the index, then in order on the spheroid: the two orders differ by a hair.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.name as anchor_name,
    :category = any(anchor.classes) as is_own_class
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        st_distance(anchor.geog, poi.geog) as distance
    from (
        select poi_class.osm_key
        from poi_class
        where
            poi_class.class = :category
            and poi_class.osm_key <> anchor.osm_key
        order by poi_class.geog <-> anchor.geog
        limit 8
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
) as near
where anchor.osm_key = :anchor
order by place
limit 3
