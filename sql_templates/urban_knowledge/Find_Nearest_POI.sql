/*
id: Find_Nearest_POI
version: 5
title: the place nearest to a place
answer_type: option
scorer: option
parameters:
  poi: {type: object, layer: poi, pick: neighboured_poi}
derive: nearest_option
variants:
  published: {strategy: pool, pool: corner_pois, layer: poi, one_a_group: true}
  hard: {strategy: alike, layer: poi}
phrasings: find_nearest_poi
constants: {inner_metres: 500, outer_metres: 1000}
margins: {metres: 10, ratio: 0.02, length_ratio: 2}
requires: [poi, other_place, poi_area]
search: circle
*/
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*
from poi as subject
cross join lateral (
    select
        candidate.osm_key,
        candidate.name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(subject.geog, candidate.geog) as distance
    from (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            poi.geom,
            poi.geog
        from poi
        where
            poi.name is not null
            and poi.osm_key <> subject.osm_key
        order by poi.geog <-> subject.geog
        limit 8
    ) as candidate
) as near
where subject.osm_key = :poi
order by place
limit 3
