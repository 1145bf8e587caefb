/*
id: T25
version: 4
title: distance of a place of a category within a range
answer_type: distance
scorer: distance
dimension: range
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
select: in_range
derive: distances_in_range
phrasings: distance_in_range
constants: {named: 0, edge_metres: 5, edge_ratio: 0.01}
margins: {least: 20}
limits: {answers: 10, share: 0.25, spread: 0.1}
requires: [poi, poi_area]
search: circle
*/
