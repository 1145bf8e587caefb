/*
id: Destination_With_Activity
version: 5
title: the nearest places of a class beside which one can do something else
answer_type: destinations
scorer: hits
dimension: two_purposes
parameters:
  destination: {type: choice, pick: destination, default: charging_station}
  activity: {type: class, pick: activity}
  user: {type: point, pick: user_cell, most: 1100, default: tiers}
select: destinations_around
derive: destinations_with_activity
phrasings: destination_with_activity
constants: {beside_metres: 1000, edge_metres: 1, road_metres: 1000, alike_metres: 0.01, view_metres: 5000, most_rows: 8}
margins: {metres: 10, ratio: 0.02, tied: 1, edge: 1, edge_ratio: 0.001, view: 5000}
limits: {most: 5, most_calls: 20}
requires: [poi, water, road_edge]
layer_schema: 8
search: none
*/
