/*
id: Direction_In_Picture
version: 1
title: in which direction a place of the picture lies from another
answer_type: option
scorer: option
dimension: poi
parameters:
  frame: {type: frame, pick: frame}
  origin: {type: object, layer: poi}
  destination: {type: object, layer: poi}
select: two_places
derive: direction_in_picture
distractors: {strategy: other_directions}
phrasings: direction_in_picture
margins: {aside: 35}
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
