/*
id: Nearest_By_Travel
version: 1
title: which of four places is reached first
answer_type: option
scorer: option
dimension: routing
parameters:
  places: {type: group, layer: poi, pick: start_and_four}
  mode: {type: form, pick: travel_mode}
program: travel_matrix
derive: nearest_by_travel
distractors: {strategy: others_reached, layer: poi}
phrasings: nearest_by_travel
margins: {shortest: 1, longest: 60, half_seconds: 0, ratio: 0.1, behind_seconds: 95}
requires: [poi, poi_area, road_edge]
search: none
*/
select
    row_number() over (order by stop.number) as place,
    poi.osm_key,
    poi.name,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat,
    :mode as mode
from unnest(string_to_array(:places, ',')) with ordinality as stop (osm_key, number)
inner join poi on stop.osm_key = poi.osm_key
order by place
