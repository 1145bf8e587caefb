/*
id: Straight_Line_Distance
version: 1
title: how far two places are apart in a straight line
answer_type: option
scorer: option
dimension: poi
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
select: two_places
derive: straight_line_distance
distractors: {strategy: near_distances}
phrasings: straight_line_distance
margins: {least: 500}
requires: [poi, poi_area]
search: none
*/
