/*
id: Classify_POI
version: 4
title: the category of a place
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: classed_poi}
derive: kind_option
variants:
  published: {strategy: anywhere}
  hard: {strategy: alike}
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
