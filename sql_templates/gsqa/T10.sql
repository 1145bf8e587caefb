/*
id: T10
version: 3
title: name of the nearest place of a category in the direction of another
answer_type: name
scorer: name
dimension: nearest and towards
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  towards: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
select: nearest_towards
derive: nearest_name_in_sector
phrasings: nearest_name_towards
constants: {reach: 50000, half_width: 22.5, edge: 1, apart_least: 600, apart_most: 50000}
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
