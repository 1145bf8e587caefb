/*
id: Compare_Type_Diversity
version: 6
title: which of four named areas is first, second, third or last by kinds of points of interest
answer_type: option
scorer: option
parameters:
  aois: {type: objects, layer: aoi, pick: aoi_with_pois, choose: 4}
  rank: {type: form, pick: area_rank}
select: aoi_pois
derive: kinds_of_rank_option
variants:
  published: {strategy: others, layer: aoi}
  hard: {strategy: others, layer: aoi}
phrasings: compare_type_diversity
constants: {edge_metres: 1}
margins: {ratio: 0.9}
requires: [poi, aoi, other_place, poi_area]
search: none
*/
