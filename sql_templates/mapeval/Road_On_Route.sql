/*
id: Road_On_Route
version: 1
title: the road that has a rank on the fastest way by car
answer_type: option
scorer: option
dimension: routing
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
  ordinal: {type: form, pick: ordinal}
program: fastest_route
derive: road_on_route
distractors: {strategy: roads_of_route}
phrasings: road_on_route
margins: {shortest: 180, longest: 2400, seconds: 60, share: 0.05, roads: 4, stretch: 30}
requires: [poi, poi_area, road_edge]
search: none
*/
select
    row_number() over (order by one.osm_key) as place,
    one.osm_key as origin_key,
    one.name as origin_name,
    another.osm_key as destination_key,
    another.name as destination_name,
    :ordinal as ordinal
from poi as one
cross join poi as another
where
    one.osm_key = :origin
    and another.osm_key = :destination
    and one.osm_key <> another.osm_key
order by place
