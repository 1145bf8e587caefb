/*
id: Not_In_Picture
version: 1
title: which of four places is nearest to something that the picture does not show
answer_type: option
scorer: option
dimension: unanswerable
parameters:
  frame: {type: frame, pick: frame}
  symbol: {type: class}
  places: {type: objects, layer: poi, choose: 4}
derive: not_in_picture
distractors: {strategy: others, layer: poi, count: 4}
phrasings: nearest_to_symbol
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
-- Four places whose names are written in the picture, and all classes of places within its edges, drawn or not.
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    :symbol as symbol,
    array(
        select distinct klass.klass
        from poi as other
        cross join lateral unnest(other.classes) as klass (klass)
        where other.geom && st_makeenvelope(:west, :south, :east, :north, 4326)
        order by klass.klass
    ) as classes
from poi
where
    poi.osm_key = any(string_to_array(:places, ','))
    and poi.osm_key = any(string_to_array(:labelled, ','))
order by place
