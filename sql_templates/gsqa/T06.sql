/*
id: T6
version: 1
title: name of the nearest place of a narrowed category
answer_type: name
scorer: name
dimension: nearest
parameters:
  category: {type: filter, pick: narrowed_category, none_means: no_filter}
  anchor: {type: object, layer: poi, pick: anchor_poi}
derive: nearest_name
phrasings: nearest_name
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi]
search: circle
*/
-- `category` is class, tag and values: restaurant,cuisine,pizza. A tag may hold several values, parted by semicolons.
-- Eight nearest on the sphere by the index, then in order on the spheroid: the two orders differ by a hair.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*
from poi as anchor
cross join lateral (
    select
        candidate.osm_key,
        candidate.name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance
    from (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            poi.geom,
            poi.geog
        from poi_class
        inner join poi on poi_class.osm_key = poi.osm_key
        where
            poi_class.class = split_part(:category, ',', 1)
            and string_to_array(split_part(:category, ',', 3), '|')
            && regexp_split_to_array(btrim(poi.tags ->> split_part(:category, ',', 2)), '\s*;\s*')
            and poi.osm_key <> anchor.osm_key
        order by poi_class.geog <-> anchor.geog
        limit 8
    ) as candidate
) as near
where anchor.osm_key = :anchor
order by place
limit 3
