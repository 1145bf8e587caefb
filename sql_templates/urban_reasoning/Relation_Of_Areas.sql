/*
id: Relation_Of_Areas
version: 1
title: how two areas lie to one another, by printed points of their boundaries
answer_type: relation
scorer: urban_relation
dimension: relation
parameters:
  terms: {type: form, pick: relation_of_areas}
  areas: {type: group, layer: aoi, pick: area_pair}
derive: relation_of_areas
phrasings: relation_of_areas
requires: [aoi]
search: none
*/
-- Both areas, in the given order.
select
    row_number() over (order by given.number) as place,
    aoi.osm_key,
    btrim(aoi.name) as name,
    encode(st_asbinary(aoi.geom), 'hex') as wkb,
    :terms as wanted
from unnest(string_to_array(:areas, ',')) with ordinality as given (osm_key, number)
inner join aoi on given.osm_key = aoi.osm_key
order by place
