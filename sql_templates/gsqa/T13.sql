/*
id: T13
version: 3
title: location of a place of a category within a distance
answer_type: location
scorer: location
dimension: range
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
select: in_range
derive: locations_in_range
phrasings: locations_in_range
constants: {named: 0, edge_metres: 5, edge_ratio: 0.01}
limits: {answers: 20, share: 0.25}
requires: [poi, poi_area, address]
search: circle
*/
