/*
id: Closest_Pair
version: 1
title: which of four pairs of places has the smallest distance
answer_type: option
scorer: option
dimension: poi
parameters:
  places: {type: objects, layer: poi, pick: place, choose: 8}
select: four_pairs
derive: closest_pair
distractors: {strategy: farther_pairs, layer: poi}
phrasings: closest_pair
margins: {metres: 32, ratio: 0.05, least: 200}
requires: [poi, poi_area]
search: none
*/
