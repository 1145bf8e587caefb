/*
id: Farthest_Pair
version: 1
title: which of four pairs of places has the greatest distance
answer_type: option
scorer: option
dimension: poi
parameters:
  places: {type: objects, layer: poi, pick: place, choose: 8}
select: four_pairs
derive: farthest_pair
distractors: {strategy: closer_pairs, layer: poi}
phrasings: farthest_pair
margins: {metres: 32, ratio: 0.05, least: 200}
requires: [poi, poi_area]
search: none
*/
