/*
id: Nearest_Of_Type
version: 1
title: which of four places of a kind is nearest to a place
answer_type: option
scorer: option
dimension: nearby
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: category}
select: nearest_of_kind
derive: nearest_of_type
distractors: {strategy: near_places, layer: poi}
phrasings: nearest_of_type
margins: {metres: 32, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
