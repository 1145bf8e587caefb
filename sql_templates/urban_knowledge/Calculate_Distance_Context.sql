/*
id: Calculate_Distance_Context
version: 4
title: distance between two places that are described by what lies around them
answer_type: option
scorer: option
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
requires: [poi, aoi, poi_area]
search: none
*/
-- The distance, and what the hints about either place stand on: the smallest area around it, or an empty key where there
-- is none, and the three nearest places. As in context_poi, none of them has the place's name in its own, or the reverse.
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
        array_agg(coalesce(area.osm_key, '') order by subject.number) as area_keys,
        array_agg(around.osm_keys order by subject.number) as near_keys
    from (
        values
        (1, one.osm_key, one.name, one.geom, one.geog),
        (2, other.osm_key, other.name, other.geom, other.geog)
    ) as subject (number, osm_key, name, geom, geog)
    cross join lateral (
        select replace(lower(btrim(regexp_replace(normalize(subject.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
    ) as own
    left join lateral (
        select aoi.osm_key
        from aoi
        cross join lateral (
            select replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
        ) as spelt
        where
            aoi.geom && subject.geom
            and st_covers(aoi.geom, subject.geom)
            and not aoi.repaired
            and aoi.osm_key <> subject.osm_key
            and position(own.form in spelt.form) = 0
            and position(spelt.form in own.form) = 0
        order by aoi.area_m2, aoi.osm_key
        limit 1
    ) as area on true
    cross join lateral (
        select string_agg(near.osm_key, ',' order by near.osm_key) as osm_keys
        from (
            select
                candidate.osm_key,
                round(st_distance(subject.geog, candidate.geog)::numeric, 3) as distance
            from (
                select
                    poi.osm_key,
                    poi.name,
                    poi.geog
                from poi
                where
                    btrim(poi.name) <> ''
                    and poi.osm_key <> subject.osm_key
                order by poi.geog <-> subject.geog
                limit 24
            ) as candidate
            cross join lateral (
                select replace(lower(btrim(regexp_replace(normalize(candidate.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
            ) as spelt
            where
                position(own.form in spelt.form) = 0
                and position(spelt.form in own.form) = 0
            order by distance, candidate.osm_key
            limit 3
        ) as near
    ) as around
) as hint
where
    one.osm_key = split_part(:pois, ',', 1)
    and other.osm_key = split_part(:pois, ',', 2)
order by place
