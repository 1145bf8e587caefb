/*
id: Best_Order
version: 1
title: in which order places are visited with the least travel
answer_type: option
scorer: option
dimension: trip
parameters:
  places: {type: group, layer: poi, pick: tour}
  mode: {type: form, pick: travel_mode}
program: travel_matrix
derive: best_order
distractors: {strategy: other_orders}
phrasings: best_order
margins: {shortest: 2, longest: 60, half_seconds: 3, behind: 2, ratio: 0.02, behind_seconds: 90}
requires: [poi, poi_area, road_edge]
search: none
*/
select
    row_number() over (order by stop.number) as place,
    poi.osm_key,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat,
    poi.name,
    :mode as mode
from unnest(string_to_array(:places, ',')) with ordinality as stop (osm_key, number)
inner join poi on stop.osm_key = poi.osm_key
order by place
