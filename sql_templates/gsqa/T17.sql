/*
id: T17
version: 2
title: location of the nearest place of a category
answer_type: location
scorer: location
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
select: nearest
derive: nearest_location
phrasings: nearest_location
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area, address]
search: circle
*/
