/*
id: T28
version: 3
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
constants: {along_metres: 20, piece_metres: 60}
limits: {least: 100, along: 0.01}
requires: [road, water, region]
search: region
*/
-- Every way counts once, whole or cut off at the boundary, in lon/lat, and measured on the spheroid. A way that only
-- touches the boundary is not in it. `along`: metres of all ways of the kind, in the region or not, that lie within
-- :along_metres of the boundary for :piece_metres or more, so that a hair decides whether they count; a way that is the
-- boundary, node by node, does not.
select
    row_number() over (order by area.osm_key) as place,
    array_agg(part.osm_key order by part.osm_key) as osm_keys,
    bool_or(part.repaired) as repaired,
    sum(st_length(cut.counted::geography) order by part.osm_key) as length,
    (
        select coalesce(sum(piece.metres order by beside.osm_key, piece.metres), 0)
        from (
            -- an aggregate, so that it is made once
            select st_collect(st_buffer(st_boundary(region.geom)::geography, :along_metres)::geometry) as geom
            from region
            where region.osm_key = area.osm_key
        ) as band
        cross join lateral (
            select
                road.osm_key,
                road.geom
            from road
            where
                'road:' || road.class = any(string_to_array(:line, ','))
                and st_intersects(road.geom, band.geom)
                and not st_covers(st_boundary(area.geom), road.geom)
            union all
            select
                water.osm_key,
                water.geom
            from water
            where
                'water:' || water.class = any(string_to_array(:line, ','))
                and st_dimension(water.geom) = 1
                and st_intersects(water.geom, band.geom)
                and not st_covers(st_boundary(area.geom), water.geom)
        ) as beside
        cross join lateral (
            select st_length(part_of.geom::geography) as metres
            from st_dump(st_collectionextract(st_intersection(beside.geom, band.geom), 2)) as part_of
        ) as piece
        where piece.metres >= :piece_metres
    ) as along
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
