/*
id: T28
version: 1
title: total length of roads or waterways of a kind in a region
answer_type: length
scorer: length
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  line: {type: class, pick: line}
  semantics: {type: choice, pick: semantics, default: clipped}
derive: length_in_region
phrasings: length_in_region
limits: {least: 100}
requires: [road, water, region]
search: region
*/
-- Every way counts once, whole or cut off at the boundary, in lon/lat, and measured on the spheroid. A way that only
-- touches the boundary is not in it.
select
    row_number() over (order by area.osm_key) as place,
    array_agg(part.osm_key order by part.osm_key) as osm_keys,
    bool_or(part.repaired) as repaired,
    sum(st_length(cut.counted::geography) order by part.osm_key) as length
from region as area
cross join lateral (
    select
        road.osm_key,
        road.repaired,
        road.geom
    from road
    where
        'road:' || road.class = any(string_to_array(:line, ','))
        and st_intersects(road.geom, area.geom)
    union all
    select
        water.osm_key,
        water.repaired,
        water.geom
    from water
    where
        'water:' || water.class = any(string_to_array(:line, ','))
        and st_dimension(water.geom) = 1
        and st_intersects(water.geom, area.geom)
) as part
cross join lateral (
    select
        case
            when st_containsproperly(area.geom, part.geom) then part.geom
            when st_touches(area.geom, part.geom) then null
            when :semantics = 'intersects' then part.geom
            else st_collectionextract(st_intersection(area.geom, part.geom), 2)
        end as counted
) as cut
where
    area.osm_key = :region
    and not st_isempty(cut.counted)
group by area.osm_key
order by place
