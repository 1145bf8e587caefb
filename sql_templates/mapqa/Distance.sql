/*
id: Distance
version: 1
title: how far two places are apart
answer_type: distance
scorer: mapqa_distance
dimension: distance
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
derive: distance
phrasings: distance
margins: {least: 200}
requires: [poi]
search: none
*/
-- `mercator`: metres of the Web Mercator projection, by which the published answers go.
select
    row_number() over (order by one.osm_key) as place,
    one.name as origin_name,
    other.name as destination_name,
    st_distance(one.geog, other.geog) as distance,
    st_distance(st_transform(one.geom, 3857), st_transform(other.geom, 3857)) as mercator
from poi as one
cross join poi as other
where
    one.osm_key = :origin
    and other.osm_key = :destination
order by place
