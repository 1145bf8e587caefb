/*
id: Lies_Between
version: 1
title: which of four places lies between two others
answer_type: option
scorer: option
dimension: poi
parameters:
  origin: {type: object, layer: poi, pick: place}
  destination: {type: object, layer: poi, pick: place}
  places: {type: objects, layer: poi, pick: place, choose: 4}
derive: lies_between
distractors: {strategy: others_between, layer: poi}
phrasings: lies_between
constants: {near_metres: 50}
margins: {least: 500, longest: 1.2, others: 1.4}
requires: [poi, poi_area]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    st_distance(one.geog, poi.geog) as to_origin,
    st_distance(poi.geog, other.geog) as to_destination,
    st_distance(one.geog, other.geog) as apart,
    one.name as origin_name,
    other.name as destination_name,
    (
        select array_agg(close_by.name order by close_by.osm_key)
        from poi as close_by
        where
            close_by.osm_key = any(string_to_array(:places, ','))
            and close_by.osm_key <> poi.osm_key
            and st_dwithin(close_by.geog, poi.geog, :near_metres)
    ) as close_names
from poi as one
cross join poi as other
cross join poi
where
    one.osm_key = :origin
    and other.osm_key = :destination
    and poi.osm_key = any(string_to_array(:places, ','))
    and poi.osm_key not in (one.osm_key, other.osm_key)
order by place
