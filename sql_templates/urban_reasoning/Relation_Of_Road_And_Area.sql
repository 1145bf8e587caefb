/*
id: Relation_Of_Road_And_Area
version: 1
title: how a road lies to an area, by their printed points
answer_type: relation
scorer: urban_relation
dimension: relation
parameters:
  terms: {type: form, pick: relation_of_road_and_area}
  pair: {type: within, layer: road, area: aoi, pick: road_and_area}
derive: relation_of_road_and_area
phrasings: relation_of_road_and_area
requires: [road, aoi]
search: none
*/
-- The line of the road and the area.
select
    row_number() over (order by road.osm_key) as place,
    road.osm_key,
    btrim(road.name) as road_name,
    encode(st_asbinary(road.geom), 'hex') as road_wkb,
    btrim(area.name) as area_name,
    encode(st_asbinary(area.geom), 'hex') as area_wkb,
    :terms as wanted
from road
cross join aoi as area
where
    road.osm_key = split_part(:pair, ' ', 1)
    and area.osm_key = split_part(:pair, ' ', 2)
order by place
