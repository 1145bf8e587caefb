/*
id: Calculate_Distance
version: 5
title: distance between two places
answer_type: option
scorer: option
parameters:
  pois: {type: objects, layer: poi, pick: unique_poi, choose: 2}
derive: distance_option
variants:
  published: {strategy: distance_draws}
  hard: {strategy: other_distances, pool: poi_distances}
phrasings: calculate_distance
margins:
  least: 500
  most: 25000
  clear: 800
  reach: 8000
  spread: 300
  apart_metres: 330
  apart_share: 0.15
  blur: 0.03
requires: [poi, poi_area]
search: none
*/
select
    row_number() over (order by one.osm_key) as place,
    one.osm_key as one_key,
    other.osm_key as other_key,
    st_distance(one.geog, other.geog) as distance,
    st_distancesphere(one.geom, other.geom) as sphere
from poi as one
cross join poi as other
where
    one.osm_key = split_part(:pois, ',', 1)
    and other.osm_key = split_part(:pois, ',', 2)
order by place
