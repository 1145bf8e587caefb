/*
id: T4
version: 3
title: name of a place of a category within a distance in the direction of another
answer_type: name
scorer: name
dimension: range and towards
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  towards: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
select: in_range_towards
derive: names_in_range
phrasings: names_in_range_towards
constants: {named: 1, edge_metres: 5, edge_ratio: 0.01, half_width: 22.5, edge: 1, apart_least: 600, apart_most: 50000}
margins: {least: 20}
limits: {answers: 20, share: 0.25}
requires: [poi, poi_area]
search: circle
*/
