/*
id: T23
version: 4
title: number of places of a category within a range
answer_type: count
scorer: count
dimension: range
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
derive: count_in_range
phrasings: count_in_range
constants: {edge_metres: 1, edge_ratio: 0.001}
limits: {most: 500}
requires: [poi, poi_area]
search: circle
*/
-- Places just outside the circle come along, and whether one is mapped twice, so that a doubtful count can be refused.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*
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
                and poi_twin.class = any(string_to_array(:category, ','))
        ) as twice_mapped,
        st_distance(anchor.geog, poi.geog) as distance
    from poi
    where
        poi.classes && string_to_array(:category, ',')
        and poi.osm_key <> anchor.osm_key
        and st_dwithin(anchor.geog, poi.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
) as near
where anchor.osm_key = :anchor
order by place
limit 501
