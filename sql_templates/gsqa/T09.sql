/*
id: T9
version: 4
title: name of the nearest place of a category in a direction
answer_type: name
scorer: name
dimension: nearest and direction
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  sector: {type: sector, pick: sector}
select: nearest_in_sector
derive: nearest_name_in_sector
phrasings: nearest_name_in_sector
constants: {reach: 50000, half_width: 22.5, edge: 1}
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
