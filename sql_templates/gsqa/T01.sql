/*
id: T1
version: 2
title: name of a place of a category within a distance
answer_type: name
scorer: name
dimension: range
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: food_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
derive: names_in_range
phrasings: names_in_range
constants: {edge_metres: 5, edge_ratio: 0.01}
limits: {answers: 20, share: 0.25}
requires: [poi]
search: circle
*/
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        st_distance(anchor.geog, poi.geog) as distance
    from poi
    where
        poi.classes && string_to_array(:category, ',')
        and poi.osm_key <> anchor.osm_key
        and poi.name is not null
        and st_dwithin(anchor.geog, poi.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
) as near
where anchor.osm_key = :anchor
order by place
limit 21
