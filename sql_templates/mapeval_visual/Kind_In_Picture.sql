/*
id: Kind_In_Picture
version: 1
title: which of four places the picture shows with a symbol
answer_type: option
scorer: option
dimension: poi
parameters:
  frame: {type: frame, pick: frame}
  symbol: {type: class}
  places: {type: objects, layer: poi, choose: 4}
derive: kind_in_picture
distractors: {strategy: others, layer: poi}
phrasings: kind_in_picture
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
-- Four places whose names are written in the picture, with what they are.
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    poi.classes,
    :symbol as symbol
from poi
where
    poi.osm_key = any(string_to_array(:places, ','))
    and poi.osm_key = any(string_to_array(:labelled, ','))
order by place
