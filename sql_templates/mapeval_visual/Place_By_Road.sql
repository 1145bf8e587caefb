/*
id: Place_By_Road
version: 1
title: which of four places of the picture lies by a road
answer_type: option
scorer: option
dimension: routing
parameters:
  frame: {type: frame, pick: frame}
  road: {type: object, layer: road}
  places: {type: objects, layer: poi, choose: 4}
derive: place_by_road
distractors: {strategy: others, layer: poi}
phrasings: place_by_road
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
-- Four places whose names are written in the picture, and the metres from each to the nearest way of the road.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.osm_key,
    near.name,
    near.distance
from (
    select
        poi.osm_key,
        poi.name,
        min(st_distance(poi.geog, way.geog)) as distance
    from road as asked
    inner join road as way on way.osm_key = any(string_to_array(:drawn_roads, ',')) and asked.name = way.name
    cross join poi
    where
        asked.osm_key = :road
        and poi.osm_key = any(string_to_array(:places, ','))
        and poi.osm_key = any(string_to_array(:labelled, ','))
    group by poi.osm_key, poi.name
) as near
order by place
