/*
id: T16
version: 3
title: location of a place of a category within a distance in the direction of another
answer_type: location
scorer: location
dimension: range and towards
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  towards: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
select: in_range_towards
derive: locations_in_range
phrasings: locations_in_range_towards
constants: {named: 0, edge_metres: 5, edge_ratio: 0.01, half_width: 22.5, edge: 1, apart_least: 600, apart_most: 50000}
margins: {least: 20}
limits: {answers: 20, share: 0.25}
requires: [poi, poi_area, address]
search: circle
*/
