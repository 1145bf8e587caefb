/*
id: Nearest_In_Picture
version: 1
title: which of four places of the picture is nearest to a fifth
answer_type: option
scorer: option
dimension: nearby
parameters:
  frame: {type: frame, pick: frame}
  anchor: {type: object, layer: poi}
  places: {type: objects, layer: poi, choose: 4}
derive: nearest_in_picture
distractors: {strategy: others, layer: poi}
phrasings: nearest_in_picture
margins: {ratio: 0.15}
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
-- Four places whose names are written in the picture, the nearest to the anchor first; metres.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.osm_key,
    near.name,
    near.distance
from (
    select
        poi.osm_key,
        poi.name,
        st_distance(anchor.geog, poi.geog) as distance
    from poi as anchor
    cross join poi
    where
        anchor.osm_key = :anchor
        and poi.osm_key = any(string_to_array(:places, ','))
        and array[anchor.osm_key, poi.osm_key] <@ string_to_array(:labelled, ',')
) as near
order by place
