/*
id: Lies_In
version: 2
title: which of four places lies in a region
answer_type: option
scorer: option
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  places: {type: objects, layer: poi, pick: place, choose: 4}
derive: lies_in
distractors: {strategy: others, layer: poi}
phrasings: lies_in
constants: {edge_metres: 5}
requires: [poi, region, road]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    st_covers(region.geom, poi.geom) as inside,
    st_dwithin(st_boundary(region.geom)::geography, poi.geog, :edge_metres) as doubtful,
    position(lower(btrim(region.name)) in lower(poi.name)) > 0 as names_region,
    (
        select count(*) > 0
        from road
        where road.name = poi.name
    ) as is_street,
    region.name as region_name
from region
cross join poi
where
    region.osm_key = :region
    and poi.osm_key = any(string_to_array(:places, ','))
order by place
