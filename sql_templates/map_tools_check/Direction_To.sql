/*
id: Direction_To
version: 2
title: in which direction a place lies from another
answer_type: azimuth
scorer: angle
dimension: measuring
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
select: two_places
derive: direction_to
phrasings: direction_to
margins: {least: 200}
requires: [poi]
search: none
*/
