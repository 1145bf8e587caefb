/*
id: Places_In_Budget
version: 1
title: how many places can be visited until a time is over
answer_type: option
scorer: option
dimension: trip
parameters:
  places: {type: group, layer: poi, pick: visits}
  mode: {type: form, pick: travel_mode}
  stay: {type: number, pick: stay}
  budget: {type: number, pick: budget}
program: travel_matrix
derive: places_in_budget
distractors: {strategy: near_visits}
phrasings: places_in_budget
margins: {shortest: 1, longest: 60, half_seconds: 0, room: 7}
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
    :stay as stay,
    :budget as budget
from unnest(string_to_array(:places, ',')) with ordinality as stop (osm_key, number)
inner join poi on stop.osm_key = poi.osm_key
order by place
