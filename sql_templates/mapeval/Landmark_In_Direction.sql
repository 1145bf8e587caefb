/*
id: Landmark_In_Direction
version: 1
title: which of four places lies in a main direction from another
answer_type: option
scorer: option
dimension: poi
parameters:
  anchor: {type: object, layer: poi, pick: place}
  direction: {type: form, pick: compass}
  places: {type: objects, layer: poi, pick: place, choose: 4}
derive: landmark_in_direction
distractors: {strategy: others_around, layer: poi}
phrasings: landmark_in_direction
constants: {near_metres: 50}
margins: {least: 200, aside: 25, others: 45}
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
    st_distance(anchor.geog, compared.geog) as distance,
    degrees(st_azimuth(anchor.geog, compared.geog)) as azimuth,
    anchor.name as anchor_name,
    :direction as direction,
    (
        select array_agg(other.name order by other.osm_key)
        from compared as other
        where
            other.osm_key <> compared.osm_key
            and st_dwithin(other.geog, compared.geog, :near_metres)
    ) as close_names
from poi as anchor
cross join compared
where
    anchor.osm_key = :anchor
    and compared.osm_key <> anchor.osm_key
order by place
