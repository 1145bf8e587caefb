/*
id: Retrieve_Coordinates
version: 4
title: coordinates of a place
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: unique_poi}
derive: coordinates_option
variants:
  published: {strategy: coordinate_corners}
  hard: {strategy: other_places}
phrasings: retrieve_coordinates
margins: {offset_degrees: 0.01, metres: 100, cell_degrees: 0.04, blur_degrees: 0.0003, apart_metres: 150}
requires: [poi, poi_area]
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
