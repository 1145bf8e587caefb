/*
id: T5
version: 3
title: name of the nearest place of a category
answer_type: name
scorer: name
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
select: nearest
derive: nearest_name
phrasings: nearest_name
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
