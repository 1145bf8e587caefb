/*
id: Destination_By_Drive
version: 1
title: the places of a class that one reaches soonest by car, beside which one can do something else
answer_type: destinations
scorer: hits
dimension: two_purposes
parameters:
  destination: {type: choice, pick: destination, default: charging_station}
  activity: {type: class, pick: activity}
  user: {type: point, pick: user_cell, most: 1100, default: tiers}
select: destinations_around
program: drive_times
derive: destinations_by_drive
phrasings: destination_by_drive
constants: {beside_metres: 1000, edge_metres: 1, road_metres: 1000, alike_metres: 0.01, view_metres: 0, most_rows: 90}
margins: {metres: 10, ratio: 0.02, tied: 1, edge: 1, edge_ratio: 0.001, view: 5000, seconds: 10, seconds_ratio: 0.02, tied_seconds: 3, tied_ratio: 0.01}
limits: {most: 5}
requires: [poi, water, road_edge]
layer_schema: 8
search: none
*/
