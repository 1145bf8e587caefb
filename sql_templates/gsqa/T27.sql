/*
id: T27
version: 6
title: total area of a kind of ground inside a region
answer_type: area
scorer: area
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  surface: {type: class, pick: surface}
  semantics: {type: choice, pick: semantics, default: clipped}
derive: area_in_region
phrasings: area_in_region
limits: {least: 100}
requires: [park, water, region]
search: region
*/
-- Ground that two objects cover counts once; what reaches beyond the region is cut off, in lon/lat, or counts too,
-- and is measured on the spheroid. What only touches the boundary is not in the region. `plain_sum`, as in the paper, is
-- the sum of whole objects, in which ground that two of them cover counts twice.
select
    row_number() over (order by area.osm_key) as place,
    array_agg(part.osm_key order by part.osm_key) as osm_keys,
    bool_or(part.repaired) as repaired,
    coalesce(
        st_area(
            case
                when :semantics = 'intersects' then st_union(part.geom order by part.osm_key)
                else st_collectionextract(st_intersection(area.geom, st_union(part.geom order by part.osm_key)), 3)
            end::geography
        ),
        0
    ) as area,
    case
        when :semantics = 'intersects' then sum(st_area(part.geom::geography) order by part.osm_key)
    end as plain_sum
from region as area
cross join lateral (
    select
        park.osm_key,
        park.repaired,
        park.geom
    from park
    where
        'park:' || park.class = any(string_to_array(:surface, ','))
        and st_dimension(park.geom) = 2
        and st_intersects(park.geom, area.geom)
    union all
    select
        water.osm_key,
        water.repaired,
        water.geom
    from water
    where
        (:surface = 'water:' or 'water:' || water.class = any(string_to_array(:surface, ',')))
        and st_dimension(water.geom) = 2
        and st_intersects(water.geom, area.geom)
) as part
where
    area.osm_key = :region
    and not st_touches(area.geom, part.geom)
group by area.osm_key, area.geom
order by place
