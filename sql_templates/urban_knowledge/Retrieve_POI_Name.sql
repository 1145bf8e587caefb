/*
id: Retrieve_POI_Name
version: 3
title: the place at an address
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: sole_poi}
derive: name_at_address_option
variants:
  published: {strategy: anywhere, layer: poi}
  hard: {strategy: alike, layer: poi}
phrasings: retrieve_poi_name
constants: {reach_metres: 500}
margins: {length_ratio: 2}
requires: [poi, other_place]
search: none
*/
-- The named places of the address, as far around the one that gives it.
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    poi.street,
    poi.housenumber,
    concat_ws(', ', concat_ws(' ', poi.housenumber, poi.street), poi.suburb, poi.city, poi.postcode) as address
from poi as subject
inner join poi
    on
        st_dwithin(subject.geog, poi.geog, :reach_metres)
        and subject.street = poi.street
        and coalesce(subject.housenumber, '') = coalesce(poi.housenumber, '')
where
    subject.osm_key = :poi
    and poi.name is not null
order by place
