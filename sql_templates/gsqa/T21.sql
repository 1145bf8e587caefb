/*
id: T21
version: 5
title: direction to a place of a category within a range
answer_type: azimuth
scorer: angle
dimension: range
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
select: in_range
derive: azimuths_in_range
phrasings: azimuth_in_range
constants: {named: 0, edge_metres: 5, edge_ratio: 0.01}
margins: {least: 20}
limits: {answers: 10, share: 0.25, spread: 18}
requires: [poi, poi_area]
search: circle
*/
