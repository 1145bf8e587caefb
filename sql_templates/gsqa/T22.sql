/*
id: T22
version: 4
title: direction to the nearest place of a category
answer_type: azimuth
scorer: angle
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
select: nearest
derive: nearest_azimuth
phrasings: nearest_azimuth
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
