/*
id: T3
version: 3
title: name of a place of a category within a distance in a direction
answer_type: name
scorer: name
dimension: range and direction
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: place_category}
  sector: {type: sector, pick: sector}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
select: in_range_in_sector
derive: names_in_range
phrasings: names_in_range_in_sector
constants: {named: 1, edge_metres: 5, edge_ratio: 0.01, half_width: 22.5, edge: 1}
margins: {least: 20}
limits: {answers: 20, share: 0.25}
requires: [poi, poi_area]
search: circle
*/
