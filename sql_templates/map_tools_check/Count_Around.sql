/*
id: Count_Around
version: 2
title: how many places of a kind lie within a distance
answer_type: count
scorer: count
dimension: nearby
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: category}
  distance: {type: metres, pick: radius}
derive: count_around
phrasings: count_around
constants: {edge_metres: 5, edge_ratio: 0.01}
limits: {most: 20}
requires: [poi]
search: circle
*/
-- Places just outside the circle come along, and whether one is mapped twice, so that a doubtful count can be refused.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.name as anchor_name,
    :category = any(anchor.classes) as is_own_class
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.repaired,
        (
            select count(*) > 0
            from poi_twin
            where
                poi_twin.osm_key = poi.osm_key
                and poi_twin.class = :category
        ) as twice_mapped,
        st_distance(anchor.geog, poi.geog) as distance
    from poi_class
    inner join poi on poi_class.osm_key = poi.osm_key
    where
        poi_class.class = :category
        and poi_class.osm_key <> anchor.osm_key
        and st_dwithin(anchor.geog, poi_class.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
) as near
where anchor.osm_key = :anchor
order by place
limit 50
