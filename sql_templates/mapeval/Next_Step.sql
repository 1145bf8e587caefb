/*
id: Next_Step
version: 1
title: what one does after following a road of the fastest way by car
answer_type: option
scorer: option
dimension: routing
parameters:
  places: {type: group, layer: poi, pick: ride}
  after: {type: form, pick: turn_rank}
program: fastest_route
derive: next_step
distractors: {strategy: turns_of_route}
phrasings: next_step
margins: {shortest: 180, longest: 2400, seconds: 60, share: 0.05, stretch: 30, degrees: 8}
requires: [poi, poi_area, road_edge]
search: none
*/
select
    row_number() over (order by one.osm_key) as place,
    one.osm_key as origin_key,
    one.name as origin_name,
    another.osm_key as destination_key,
    another.name as destination_name,
    :after as after
from poi as one
cross join poi as another
where
    one.osm_key = split_part(:places, ',', 1)
    and another.osm_key = split_part(:places, ',', 2)
order by place
