/*
id: Distance
version: 1
title: how far two places are apart, by their printed coordinates
answer_type: distance
scorer: urban_distance
dimension: distance
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
  notation: {type: form, pick: notation}
select: two_places
derive: printed_distance
phrasings: distance
margins: {least: 300}
requires: [poi]
search: none
*/
