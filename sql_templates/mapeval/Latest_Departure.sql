/*
id: Latest_Departure
version: 1
title: when one must leave to be somewhere in time
answer_type: option
scorer: option
dimension: trip
parameters:
  places: {type: group, layer: poi, pick: way}
  mode: {type: form, pick: travel_mode}
  deadline: {type: form, pick: deadline}
  stay: {type: number, pick: stay}
program: travel_matrix
derive: latest_departure
distractors: {strategy: near_departures}
phrasings: latest_departure
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
    :mode as mode,
    :deadline as deadline,
    :stay as stay
from unnest(string_to_array(:places, ',')) with ordinality as stop (osm_key, number)
inner join poi on stop.osm_key = poi.osm_key
order by place
