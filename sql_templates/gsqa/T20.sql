/*
id: T20
version: 3
title: location of the nearest place of a category in the direction of another
answer_type: location
scorer: location
dimension: nearest and towards
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  towards: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
select: nearest_towards
derive: nearest_location_in_sector
phrasings: nearest_location_towards
constants: {reach: 50000, half_width: 22.5, edge: 1, apart_least: 600, apart_most: 50000}
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area, address]
search: circle
*/
