/*
id: Amenity_Of
version: 1
title: what kind of amenity a place is
answer_type: name
scorer: name
dimension: amenities
parameters:
  place: {type: object, layer: poi, pick: named_amenity}
derive: amenity_of
phrasings: amenity_of
requires: [poi]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    poi.tags ->> 'amenity' as amenity
from poi
where poi.osm_key = :place
order by place
