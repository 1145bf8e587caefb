/*
id: Retrieve_POI_Address
version: 3
title: the address of a place
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: addressed_poi}
derive: address_in_order_option
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
    poi.suburb,
    poi.city,
    poi.postcode,
    poi.state,
    coalesce(
        poi.country,
        (
            select one.country
            from poi as one
            where one.country is not null
            order by one.osm_key
            limit 1
        )
    ) as country
from poi
where
    poi.osm_key = :poi
    and poi.street is not null
order by place
