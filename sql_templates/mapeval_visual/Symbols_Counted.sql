/*
id: Symbols_Counted
version: 1
title: how many symbols of a kind the picture shows
answer_type: option
scorer: option
dimension: counting
parameters:
  frame: {type: frame, pick: frame}
  symbol: {type: class}
derive: symbols_counted
distractors: {strategy: other_counts}
phrasings: symbols_counted
limits: {most: 12}
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
-- Every place whose symbol is drawn whole, with what it is.
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.classes,
    :symbol as symbol
from poi
where poi.osm_key = any(string_to_array(:drawn, ','))
order by place
