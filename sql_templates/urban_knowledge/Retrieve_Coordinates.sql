/*
id: Retrieve_Coordinates
version: 2
title: coordinates of a place
answer_type: option
scorer: option
dimension: node
parameters:
  poi: {type: object, layer: poi, pick: unique_poi}
derive: coordinates_option
variants:
  published: {strategy: coordinate_corners}
  hard: {strategy: coordinate_grid}
phrasings: retrieve_coordinates
margins: {offset_degrees: 0.01, metres: 100}
requires: [poi]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from poi
where poi.osm_key = :poi
order by place
