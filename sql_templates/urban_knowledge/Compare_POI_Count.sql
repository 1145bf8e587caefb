/*
id: Compare_POI_Count
version: 1
title: which of four named areas has the most points of interest
answer_type: option
scorer: option
dimension: function
parameters:
  aois: {type: objects, layer: aoi, pick: unique_aoi, choose: 4}
select: aoi_pois
derive: most_pois_option
distractors: {strategy: others, layer: aoi}
phrasings: compare_poi_count
constants: {edge_metres: 1}
margins: {ratio: 0.9}
requires: [poi, aoi]
search: none
*/
