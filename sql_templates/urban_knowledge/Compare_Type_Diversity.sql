/*
id: Compare_Type_Diversity
version: 1
title: which of four named areas has the most kinds of points of interest
answer_type: option
scorer: option
dimension: function
parameters:
  aois: {type: objects, layer: aoi, pick: aoi_with_pois, choose: 4}
select: aoi_pois
derive: most_kinds_option
distractors: {strategy: others, layer: aoi}
phrasings: compare_type_diversity
constants: {edge_metres: 1}
margins: {ratio: 0.9}
requires: [poi, aoi]
search: none
*/
