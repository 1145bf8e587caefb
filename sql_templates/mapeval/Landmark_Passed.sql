/*
id: Landmark_Passed
version: 1
title: which of four places one passes on the fastest way
answer_type: option
scorer: option
dimension: routing
parameters:
  places: {type: group, layer: poi, pick: passed}
  mode: {type: form, pick: travel_mode}
program: travel_matrix
derive: landmark_passed
distractors: {strategy: others_aside, layer: poi}
phrasings: landmark_passed
margins: {shortest: 1, longest: 60, half_seconds: 0, passed_seconds: 30, aside_seconds: 210}
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
