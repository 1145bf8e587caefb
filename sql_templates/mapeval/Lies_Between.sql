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
with compared as materialized (
    select
        poi.osm_key,
        poi.name,
        poi.geog
    from unnest(string_to_array(:places, ',')) as given (osm_key)
    inner join poi on given.osm_key = poi.osm_key
)

select
    row_number() over (order by compared.osm_key) as place,
    compared.osm_key,
    compared.name,
    st_distance(one.geog, compared.geog) as to_origin,
    st_distance(compared.geog, another.geog) as to_destination,
    st_distance(one.geog, another.geog) as apart,
    one.name as origin_name,
    another.name as destination_name,
    (
        select array_agg(other.name order by other.osm_key)
        from compared as other
        where
            other.osm_key <> compared.osm_key
            and st_dwithin(other.geog, compared.geog, :near_metres)
    ) as close_names
from poi as one
cross join poi as another
cross join compared
where
    one.osm_key = :origin
    and another.osm_key = :destination
    and compared.osm_key not in (one.osm_key, another.osm_key)
order by place
