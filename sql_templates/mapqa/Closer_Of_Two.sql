/*
id: Closer_Of_Two
version: 1
title: which of two places is closer to a third one
answer_type: name
scorer: name
dimension: compare_closer
parameters:
  anchor: {type: object, layer: poi, pick: place}
  one: {type: object, layer: poi, pick: place}
  other: {type: object, layer: poi, pick: place}
derive: closer_of_two
phrasings: closer_of_two
margins: {ratio: 1.1, least: 50}
requires: [poi]
search: none
*/
select
    row_number() over (order by st_distance(anchor.geog, poi.geog), poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat,
    st_distance(anchor.geog, poi.geog) as distance,
    anchor.name as anchor_name,
    poi.osm_key = :other as is_last_named
from poi as anchor
cross join poi
where
    anchor.osm_key = :anchor
    and poi.osm_key in (:one, :other)
    and poi.osm_key <> anchor.osm_key
order by place
