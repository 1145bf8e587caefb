/*
id: Compare_POI_Count
version: 6
title: which of four named areas is first, second, third or last by points of interest
answer_type: option
scorer: option
parameters:
  aois: {type: objects, layer: aoi, pick: unique_aoi, choose: 4}
  rank: {type: form, pick: area_rank}
select: aoi_pois
derive: pois_of_rank_option
variants:
  published: {strategy: others, layer: aoi}
  hard: {strategy: others, layer: aoi}
phrasings: compare_poi_count
constants: {edge_metres: 1}
margins: {ratio: 0.9}
requires: [poi, aoi, other_place, poi_area]
search: none
*/
