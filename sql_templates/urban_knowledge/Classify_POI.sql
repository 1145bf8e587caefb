/*
id: Classify_POI
version: 2
title: the category of a place
answer_type: option
scorer: option
dimension: type
parameters:
  poi: {type: object, layer: poi, pick: classed_poi}
derive: class_option
distractors: {strategy: alike}
phrasings: classify_poi
requires: [poi, other_place]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    poi.class,
    poi.classes,
    poi.street
from poi
where poi.osm_key = :poi
order by place
