/*
id: Relation_Of_Roads
version: 1
title: how two roads lie to one another, by five printed points of each
answer_type: relation
scorer: urban_relation
dimension: relation
parameters:
  terms: {type: form, pick: relation_of_roads}
  roads: {type: group, layer: road, pick: road_pair}
derive: relation_of_roads
phrasings: relation_of_roads
requires: [road]
search: none
*/
-- The lines of both roads, in the given order.
select
    row_number() over (order by given.number) as place,
    road.osm_key,
    btrim(road.name) as name,
    encode(st_asbinary(road.geom), 'hex') as wkb,
    :terms as wanted
from unnest(string_to_array(:roads, ',')) with ordinality as given (osm_key, number)
inner join road on given.osm_key = road.osm_key
order by place
