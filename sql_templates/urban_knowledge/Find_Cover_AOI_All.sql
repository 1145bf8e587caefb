/*
id: Find_Cover_AOI_All
version: 3
title: the smallest named area around several places
answer_type: option
scorer: option
parameters:
  pois: {type: group, layer: poi, pick: covered_pois}
derive: cover_option
variants:
  published: {strategy: anywhere, layer: aoi}
  hard: {strategy: alike, layer: aoi}
phrasings: find_cover_aoi_all
constants: {edge_metres: 1}
margins: {square_metres: 10, ratio: 0.02, length_ratio: 2}
requires: [poi, aoi, other_place, poi_area]
search: none
*/
-- Every named area that covers all the places, or whose border comes within a metre of one, the smallest first.
select
    row_number() over (order by around.area, around.osm_key) as place,
    around.*
from (
    select
        aoi.osm_key,
        aoi.name,
        aoi.repaired,
        aoi.area_m2 as area,
        count(*) filter (where placed.covers) = cardinality(string_to_array(:pois, ',')) as covers,
        bool_or(placed.doubtful) as doubtful
    from poi
    inner join aoi on aoi.geom && st_expand(poi.geom, 0.001)
    cross join lateral (
        select
            st_covers(aoi.geom, poi.geom) as covers,
            st_dwithin(st_boundary(aoi.geom)::geography, poi.geog, :edge_metres) as doubtful
    ) as placed
    where
        poi.osm_key = any(string_to_array(:pois, ','))
        and (placed.covers or placed.doubtful)
    group by aoi.osm_key
) as around
where
    around.covers
    or around.doubtful
order by place
