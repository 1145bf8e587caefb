/*
id: Query_Length
version: 4
title: length of a road
answer_type: option
scorer: option
parameters:
  road: {type: object, layer: road, pick: named_road}
derive: length_option
variants:
  published: {strategy: length_multiples}
  hard: {strategy: other_lengths, pool: road_lengths}
phrasings: query_length
margins:
  least: 300
  low_share: 0.1
  low_metres: 100
  middle_share: 2
  high_share: 3
  apart_metres: 100
  apart_share: 0.34
  blur: 0.03
requires: [road]
search: region
*/
-- All drivable ways of the road's name, each whole and once.
select
    row_number() over (order by subject.osm_key) as place,
    array_agg(way.osm_key order by way.osm_key) as osm_keys,
    bool_or(way.repaired) as repaired,
    sum(st_length(way.geog) order by way.osm_key) as length
from road as subject
inner join road as way
    on
        subject.name = way.name
        and way.drivable
where subject.osm_key = :road
group by subject.osm_key
order by place
