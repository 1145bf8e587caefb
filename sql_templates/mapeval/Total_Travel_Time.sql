/*
id: Total_Travel_Time
version: 1
title: how long the ways of a trip take in all
answer_type: option
scorer: option
dimension: trip
parameters:
  places: {type: group, layer: poi, pick: way}
  mode: {type: form, pick: travel_mode}
program: travel_matrix
derive: total_travel_time
distractors: {strategy: near_minutes}
phrasings: total_travel_time
margins: {shortest: 2, longest: 60, half_seconds: 3, sum_seconds: 22, least: 20}
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
