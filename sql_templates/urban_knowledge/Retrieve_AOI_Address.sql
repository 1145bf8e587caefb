/*
id: Retrieve_AOI_Address
version: 4
title: the address of a named area
answer_type: option
scorer: option
parameters:
  aoi: {type: object, layer: aoi, pick: addressed_aoi}
derive: address_in_order_option
variants:
  published: {strategy: anywhere, layer: aoi}
  hard: {strategy: alike, layer: aoi}
phrasings: retrieve_aoi_address
margins: {length_ratio: 2}
requires: [aoi, other_place, poi]
search: none
*/
select
    row_number() over (order by aoi.osm_key) as place,
    aoi.osm_key,
    aoi.name,
    said.street,
    said.housenumber,
    said.suburb,
    said.city,
    said.postcode,
    said.state,
    coalesce(
        said.country,
        (
            select one.country
            from poi as one
            where one.country is not null
            order by one.osm_key
            limit 1
        )
    ) as country
from aoi
cross join lateral (
    select
        coalesce(nullif(aoi.tags ->> 'addr:street', ''), nullif(aoi.tags ->> 'addr:place', '')) as street,
        nullif(aoi.tags ->> 'addr:housenumber', '') as housenumber,
        nullif(aoi.tags ->> 'addr:suburb', '') as suburb,
        nullif(aoi.tags ->> 'addr:city', '') as city,
        nullif(aoi.tags ->> 'addr:postcode', '') as postcode,
        nullif(aoi.tags ->> 'addr:state', '') as state,
        nullif(aoi.tags ->> 'addr:country', '') as country
) as said
where
    aoi.osm_key = :aoi
    and said.street is not null
order by place
