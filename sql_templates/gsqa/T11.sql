/*
id: T11
version: 4
title: name of the largest park or water body of a kind in a region
answer_type: name
scorer: name
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  ground: {type: class, pick: ground}
  semantics: {type: choice, pick: semantics, default: clipped}
derive: largest_in_region
phrasings: largest_in_region
margins: {square_metres: 10, ratio: 0.02}
limits: {least: 100}
requires: [park, water, region]
search: region
*/
-- Each is cut off at the boundary, in lon/lat, or counts whole where a part of it is inside, and is measured on the
-- spheroid. What only touches the boundary is not in the region.
select
    row_number() over (order by named.area desc, named.osm_key) as place,
    named.*
from region as area
cross join lateral (
    select
        part.osm_key,
        part.name,
        string_to_array(part.name, ';') as each_name,
        part.repaired,
        st_x(st_centroid(cut.counted)) as lon,
        st_y(st_centroid(cut.counted)) as lat,
        st_area(cut.counted::geography) as area
    from (
        select
            park.osm_key,
            park.name,
            park.repaired,
            park.geom
        from park
        where
            'park:' || park.class = any(string_to_array(:ground, ','))
            and park.name is not null
            and st_dimension(park.geom) = 2
            and st_intersects(park.geom, area.geom)
        union all
        select
            water.osm_key,
            water.name,
            water.repaired,
            water.geom
        from water
        where
            'water:' || water.class = any(string_to_array(:ground, ','))
            and water.name is not null
            and st_dimension(water.geom) = 2
            and st_intersects(water.geom, area.geom)
    ) as part
    cross join lateral (
        select
            case
                when st_touches(area.geom, part.geom) then null
                when :semantics = 'intersects' then part.geom
                else st_collectionextract(st_intersection(area.geom, part.geom), 3)
            end as counted
    ) as cut
    where not st_isempty(cut.counted)
) as named
where area.osm_key = :region
order by place
limit 3
