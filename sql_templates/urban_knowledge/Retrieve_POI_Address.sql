/*
id: Retrieve_POI_Address
version: 2
title: the address of a place
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: addressed_poi}
derive: address_option
variants:
  published: {strategy: pool, pool: near_addresses, layer: poi}
  hard: {strategy: alike, pool: near_addresses, layer: poi}
phrasings: retrieve_poi_address
constants: {reach_metres: 250, most: 240}
margins: {length_ratio: 2}
requires: [poi]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    poi.street,
    poi.housenumber,
    concat_ws(', ', concat_ws(' ', poi.housenumber, poi.street), poi.suburb, poi.city, poi.postcode) as address
from poi
where
    poi.osm_key = :poi
    and poi.street is not null
order by place
