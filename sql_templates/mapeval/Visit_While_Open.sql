/*
id: Visit_While_Open
version: 1
title: which of four places can be visited while it is open
answer_type: option
scorer: option
dimension: trip
parameters:
  places: {type: group, layer: poi, pick: places_with_hours}
  mode: {type: form, pick: travel_mode}
  moment: {type: form, pick: day_moment}
  stay: {type: number, pick: stay}
program: travel_matrix
derive: visit_while_open
distractors: {strategy: others_not_open, layer: poi}
phrasings: visit_while_open
margins: {shortest: 1, longest: 60, half_seconds: 0, minutes: 10}
requires: [poi, poi_area, road_edge]
search: none
*/
select
    row_number() over (order by stop.number) as place,
    poi.osm_key,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat,
    poi.name,
    poi.tags ->> 'opening_hours' as opening_hours,
    :mode as mode,
    :moment as moment,
    :stay as stay
from unnest(string_to_array(:places, ',')) with ordinality as stop (osm_key, number)
inner join poi on stop.osm_key = poi.osm_key
order by place
