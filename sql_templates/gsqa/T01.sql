/*
id: T1
version: 4
title: name of a place of a category within a distance
answer_type: name
scorer: name
dimension: range
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
select: in_range
derive: names_in_range
phrasings: names_in_range
constants: {named: 1, edge_metres: 5, edge_ratio: 0.01}
limits: {answers: 20, share: 0.25}
requires: [poi, poi_area]
search: circle
*/
