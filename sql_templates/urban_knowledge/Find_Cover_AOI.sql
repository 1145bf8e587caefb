/*
id: Find_Cover_AOI
version: 4
title: the smallest named area around a place
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: covered_poi}
derive: cover_option
variants:
  published: {strategy: pool, pool: near_aois, layer: aoi}
  hard: {strategy: alike, layer: aoi}
phrasings: find_cover_aoi
constants: {edge_metres: 1, nearest: 20}
margins: {square_metres: 10, ratio: 0.02, length_ratio: 2}
requires: [poi, aoi, other_place, poi_area]
search: none
*/
-- Every named area that covers the place or comes within a metre of it, the smallest first; looked up by a box in
-- lon/lat, as it is decided: a long edge taken as a geodesic would leave some out.
select
    row_number() over (order by around.area, around.osm_key) as place,
    around.*
from poi as subject
cross join lateral (
    select
        aoi.osm_key,
        aoi.name,
        aoi.repaired,
        aoi.area_m2 as area,
        placed.covers,
        placed.doubtful
    from aoi
    cross join lateral (
        select
            st_covers(aoi.geom, subject.geom) as covers,
            st_dwithin(st_boundary(aoi.geom)::geography, subject.geog, :edge_metres) as doubtful
    ) as placed
    where
        aoi.geom && st_expand(subject.geom, 0.001)
        and (placed.covers or placed.doubtful)
) as around
where subject.osm_key = :poi
order by place
