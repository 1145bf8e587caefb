/*
id: Nearest_To_Symbol
version: 1
title: which of four places of the picture is nearest to its one symbol of a kind
answer_type: option
scorer: option
dimension: nearby
parameters:
  frame: {type: frame, pick: frame}
  symbol: {type: class}
  places: {type: objects, layer: poi, choose: 4}
derive: nearest_to_symbol
distractors: {strategy: others, layer: poi}
phrasings: nearest_to_symbol
margins: {ratio: 0.15}
requires: [poi, park, water, road, region, aoi, address]
picture: {questions: 2}
search: none
*/
-- Four places whose names are written in the picture, and everything whose symbol is drawn whole: what it is, and how many
-- metres it is from the place.
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    :symbol as symbol,
    (
        select
            jsonb_agg(
                jsonb_build_object(
                    'osm_key', shown.osm_key,
                    'classes', shown.classes,
                    'distance', st_distance(poi.geog, shown.geog)
                )
                order by shown.osm_key
            )
        from poi as shown
        where shown.osm_key = any(string_to_array(:drawn, ','))
    ) as shown
from poi
where
    poi.osm_key = any(string_to_array(:places, ','))
    and poi.osm_key = any(string_to_array(:labelled, ','))
order by place
