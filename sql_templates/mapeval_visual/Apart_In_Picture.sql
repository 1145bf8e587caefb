/*
id: Apart_In_Picture
version: 1
title: how far two places of the picture are apart, by its scale
answer_type: option
scorer: option
dimension: poi
parameters:
  frame: {type: frame, pick: frame}
  origin: {type: object, layer: poi}
  destination: {type: object, layer: poi}
select: two_places
derive: apart_in_picture
distractors: {strategy: other_lengths}
phrasings: apart_in_picture
margins: {least: 10}
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
