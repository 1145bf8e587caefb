/*
id: Visiting_Order
version: 1
title: the shortest order in which to visit five places of which only legs are told
answer_type: order
scorer: urban_order
dimension: planning
parameters:
  places: {type: objects, layer: poi, pick: place, choose: 5}
derive: printed_legs
phrasings: visiting_order
margins: {least: 150, most: 20000}
requires: [poi]
search: none
*/
-- The five places in their given order.
select
    row_number() over (order by given.number) as place,
    poi.name,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from unnest(string_to_array(:places, ',')) with ordinality as given (osm_key, number)
inner join poi on given.osm_key = poi.osm_key
order by place
