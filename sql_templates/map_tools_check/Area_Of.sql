/*
id: Area_Of
version: 3
title: how large a named area is
answer_type: area
scorer: area
dimension: measuring
parameters:
  area: {type: object, layer: aoi, pick: area}
derive: area_of
phrasings: area_of
margins: {least: 500}
requires: [aoi]
search: none
*/
select
    row_number() over (order by aoi.osm_key) as place,
    aoi.name,
    st_area(aoi.geog) as area
from aoi
where aoi.osm_key = :area
order by place
