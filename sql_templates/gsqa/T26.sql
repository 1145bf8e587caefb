/*
id: T26
version: 2
title: distance to the nearest place of a category
answer_type: distance
scorer: distance
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
select: nearest
derive: nearest_distance
phrasings: nearest_distance
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
