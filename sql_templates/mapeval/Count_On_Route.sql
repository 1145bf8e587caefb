/*
id: Count_On_Route
version: 1
title: how many turns to a side, or roundabouts, the fastest way by car has
answer_type: option
scorer: option
dimension: routing
parameters:
  places: {type: group, layer: poi, pick: ride}
  counted: {type: form, pick: counted}
program: fastest_route
derive: count_on_route
distractors: {strategy: counts_of_routes}
phrasings: count_on_route
margins: {shortest: 180, longest: 2400, seconds: 60, share: 0.05, degrees: 5}
requires: [poi, poi_area, road_edge]
search: none
*/
select
    row_number() over (order by one.osm_key) as place,
    one.osm_key as origin_key,
    one.name as origin_name,
    another.osm_key as destination_key,
    another.name as destination_name,
    :counted as counted
from poi as one
cross join poi as another
where
    one.osm_key = split_part(:places, ',', 1)
    and another.osm_key = split_part(:places, ',', 2)
order by place
