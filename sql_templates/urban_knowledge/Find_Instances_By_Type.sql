/*
id: Find_Instances_By_Type
version: 4
title: a place of a category
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: instance_poi, named_by_class: true}
derive: instance_option
variants:
  published: {strategy: anywhere, layer: poi}
  hard: {strategy: alike, layer: poi}
phrasings: find_instances_by_type
margins: {length_ratio: 2}
requires: [poi, other_place]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    poi.class,
    poi.classes
from poi
where poi.osm_key = :poi
order by place
