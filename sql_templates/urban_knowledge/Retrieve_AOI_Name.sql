/*
id: Retrieve_AOI_Name
version: 3
title: the named area at an address
answer_type: option
scorer: option
parameters:
  aoi: {type: object, layer: aoi, pick: sole_aoi}
derive: name_at_address_option
variants:
  published: {strategy: anywhere, layer: aoi}
  hard: {strategy: alike, layer: aoi}
phrasings: retrieve_aoi_name
constants: {reach_metres: 500}
margins: {length_ratio: 2}
requires: [aoi, other_place]
search: none
*/
-- The areas of the address, as far around the one that gives it.
select
    row_number() over (order by aoi.osm_key) as place,
    aoi.osm_key,
    aoi.name,
    said.street,
    said.housenumber
from aoi as subject
inner join aoi on st_dwithin(subject.geog, aoi.geog, :reach_metres)
cross join lateral (
    select
        coalesce(nullif(aoi.tags ->> 'addr:street', ''), nullif(aoi.tags ->> 'addr:place', '')) as street,
        nullif(aoi.tags ->> 'addr:housenumber', '') as housenumber
) as said
where
    subject.osm_key = :aoi
    and said.street = coalesce(nullif(subject.tags ->> 'addr:street', ''), nullif(subject.tags ->> 'addr:place', ''))
    and coalesce(said.housenumber, '') = coalesce(subject.tags ->> 'addr:housenumber', '')
order by place
