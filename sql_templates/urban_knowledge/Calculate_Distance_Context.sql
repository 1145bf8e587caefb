/*
id: Calculate_Distance_Context
version: 3
title: distance between two places that are described by what lies around them
answer_type: option
scorer: option
dimension: surroundings
parameters:
  pois: {type: objects, layer: poi, pick: context_poi, choose: 2}
derive: distance_in_context_option
variants:
  published: {strategy: distance_draws}
  hard: {strategy: other_distances, pool: context_distances}
phrasings: calculate_distance_context
margins:
  least: 500
  most: 25000
  clear: 800
  reach: 8000
  spread: 300
  apart_metres: 330
  apart_share: 0.15
  blur: 0.03
requires: [poi, aoi]
search: none
*/
-- The distance, and what the hints about either place stand on: the smallest area around it, the three nearest places.
select
    row_number() over (order by one.osm_key) as place,
    one.osm_key as one_key,
    other.osm_key as other_key,
    st_distance(one.geog, other.geog) as distance,
    st_distancesphere(one.geom, other.geom) as sphere,
    hint.area_keys,
    hint.near_keys
from poi as one
cross join poi as other
cross join lateral (
    select
        array_agg(area.osm_key order by subject.number) as area_keys,
        array_agg(around.osm_keys order by subject.number) as near_keys
    from (
        values
        (1, one.osm_key, one.geom, one.geog),
        (2, other.osm_key, other.geom, other.geog)
    ) as subject (number, osm_key, geom, geog)
    cross join lateral (
        select aoi.osm_key
        from aoi
        where
            aoi.geom && subject.geom
            and st_covers(aoi.geom, subject.geom)
            and not aoi.repaired
        order by aoi.area_m2, aoi.osm_key
        limit 1
    ) as area
    cross join lateral (
        select string_agg(near.osm_key, ',' order by near.osm_key) as osm_keys
        from (
            select
                candidate.osm_key,
                round(st_distance(subject.geog, candidate.geog)::numeric, 3) as distance
            from (
                select
                    poi.osm_key,
                    poi.geog
                from poi
                where
                    btrim(poi.name) <> ''
                    and poi.osm_key <> subject.osm_key
                order by poi.geog <-> subject.geog
                limit 8
            ) as candidate
            order by distance, candidate.osm_key
            limit 3
        ) as near
    ) as around
) as hint
where
    one.osm_key = split_part(:pois, ',', 1)
    and other.osm_key = split_part(:pois, ',', 2)
order by place
