/*
id: Direction_From
version: 1
title: in which main direction a place lies from another
answer_type: option
scorer: option
dimension: poi
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
select: two_places
derive: direction_from
distractors: {strategy: other_directions}
phrasings: direction_from
margins: {least: 200, aside: 35}
requires: [poi, poi_area]
search: none
*/
