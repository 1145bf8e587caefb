/*
id: Nearest_Of_Four
version: 2
title: which of four places is nearest to another
answer_type: option
scorer: option
dimension: measuring
parameters:
  anchor: {type: object, layer: poi, pick: place}
  places: {type: objects, layer: poi, pick: place, choose: 4}
derive: nearest_of_four
distractors: {strategy: others, layer: poi}
phrasings: nearest_of_four
margins: {metres: 50, ratio: 0.1}
requires: [poi]
search: none
*/
select
    row_number() over (order by st_distance(anchor.geog, poi.geog), poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    st_distance(anchor.geog, poi.geog) as distance,
    anchor.name as anchor_name
from poi as anchor
cross join poi
where
    anchor.osm_key = :anchor
    and poi.osm_key = any(string_to_array(:places, ','))
    and poi.osm_key <> anchor.osm_key
order by place
