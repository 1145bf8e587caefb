/*
id: Direction
version: 1
title: in which direction one place lies from another, by their printed coordinates
answer_type: azimuth
scorer: urban_bearing
dimension: direction
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
  notation: {type: form, pick: notation}
select: two_places
derive: printed_direction
phrasings: direction
margins: {least: 300}
requires: [poi]
search: none
*/
