/*
id: Road_Between
version: 1
title: which road of the picture passes between two places
answer_type: option
scorer: option
dimension: routing
parameters:
  frame: {type: frame, pick: frame}
  origin: {type: object, layer: poi}
  destination: {type: object, layer: poi}
  roads: {type: objects, layer: road, choose: 4}
derive: road_between
distractors: {strategy: others, layer: road}
phrasings: road_between
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
-- Four roads whose names are written in the picture, and whether the straight line from place to place crosses one of
-- their ways.
select
    row_number() over (order by asked.osm_key) as place,
    asked.osm_key,
    asked.name,
    bool_or(st_intersects(way.geom, line.geom)) as is_crossed
from (
    select st_makeline(origin.geom, destination.geom) as geom
    from poi as origin
    cross join poi as destination
    where
        origin.osm_key = :origin
        and destination.osm_key = :destination
        and array[origin.osm_key, destination.osm_key] <@ string_to_array(:labelled, ',')
) as line
cross join road as asked
inner join road as way on way.osm_key = any(string_to_array(:drawn_roads, ',')) and asked.name = way.name
where asked.osm_key = any(string_to_array(:roads, ','))
group by asked.osm_key, asked.name
order by place
