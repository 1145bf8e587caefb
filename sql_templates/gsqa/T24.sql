/*
id: T24
version: 4
title: number of places of a category in a region
answer_type: count
scorer: count
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  category: {type: class, pick: place_category}
derive: count_in_region
phrasings: count_in_region
constants: {edge_metres: 1}
requires: [poi, poi_area, region]
search: region
*/
-- Places within a metre of the boundary come along, on either side, and whether one is mapped twice, so that a doubtful
-- count can be refused.
-- They are looked up by a box in lon/lat, as they are counted: a long edge taken as a geodesic would leave some out.
with area as materialized (
    select
        region.geom,
        st_boundary(region.geom)::geography as boundary
    from region
    where region.osm_key = :region
)

select
    row_number() over (order by near.osm_key) as place,
    near.*
from area
cross join lateral (
    select
        poi.osm_key,
        poi.repaired,
        (
            select count(*) > 0
            from poi_twin
            where
                poi_twin.osm_key = poi.osm_key
                and poi_twin.class = any(string_to_array(:category, ','))
        ) as twice_mapped,
        placed.inside,
        placed.doubtful
    from poi
    cross join lateral (
        select
            st_covers(area.geom, poi.geom) as inside,
            st_dwithin(area.boundary, poi.geog, :edge_metres) as doubtful
    ) as placed
    where
        poi.classes && string_to_array(:category, ',')
        and poi.geom && st_expand(area.geom, 0.001)
        and (placed.inside or placed.doubtful)
) as near
order by place
