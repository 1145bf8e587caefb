/*
id: Distance_Between
version: 2
title: how far two places are apart
answer_type: distance
scorer: distance
dimension: measuring
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
select: two_places
derive: distance_between
phrasings: distance_between
margins: {least: 200}
requires: [poi]
search: none
*/
