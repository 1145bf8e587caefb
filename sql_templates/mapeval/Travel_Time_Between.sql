/*
id: Travel_Time_Between
version: 1
title: how long the way from one place to another takes
answer_type: option
scorer: option
dimension: routing
parameters:
  places: {type: group, layer: poi, pick: ride}
  mode: {type: form, pick: travel_mode}
program: travel_matrix
derive: travel_time_between
distractors: {strategy: near_minutes}
phrasings: travel_time_between
margins: {shortest: 2, longest: 60, half_seconds: 3, least: 12}
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
