/*
id: T18
version: 2
title: location of the nearest place of a narrowed category
answer_type: location
scorer: location
dimension: nearest
parameters:
  category: {type: filter, pick: narrowed_category, none_means: no_filter}
  anchor: {type: object, layer: poi, pick: anchor_poi}
select: nearest_narrowed
derive: nearest_location
phrasings: nearest_location
constants: {reach: 50000}
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area, address]
search: circle
*/
