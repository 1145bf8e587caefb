/*
id: Attribute_Of
version: 1
title: what the map tells of a place
answer_type: option
scorer: option
dimension: poi
parameters:
  place: {type: object, layer: poi, pick: told_place}
  attribute: {type: form, pick: attribute}
derive: attribute_of
distractors: {strategy: other_values}
phrasings: attribute_of
requires: [poi]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    :attribute as attribute,
    poi.tags ->> :attribute as value
from poi
where poi.osm_key = :place
order by place
