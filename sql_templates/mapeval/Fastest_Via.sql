/*
id: Fastest_Via
version: 1
title: by way of which of four places one gets somewhere the fastest
answer_type: option
scorer: option
dimension: routing
parameters:
  places: {type: group, layer: poi, pick: detours}
  mode: {type: form, pick: travel_mode}
program: travel_matrix
derive: fastest_via
distractors: {strategy: others_of_four, layer: poi}
phrasings: fastest_via
margins: {shortest: 1, longest: 60, half_seconds: 0, ratio: 0.05, behind_seconds: 130}
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
