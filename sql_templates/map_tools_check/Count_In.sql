/*
id: Count_In
version: 2
title: how many places of a kind lie in a region
answer_type: count
scorer: count
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  category: {type: class, pick: category}
derive: count_in
phrasings: count_in
constants: {edge_metres: 1}
requires: [poi, region]
search: none
*/
-- Places within a metre of the border come along, on either side, and whether one is mapped twice, so that a doubtful
-- count can be refused.
with area as materialized (
    select
        region.name,
        region.class,
        region.geom,
        st_boundary(region.geom)::geography as boundary
    from region
    where region.osm_key = :region
)

select
    row_number() over (order by near.osm_key) as place,
    near.*,
    area.name as region_name,
    area.class as region_class
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
                and poi_twin.class = :category
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
        :category = any(poi.classes)
        and poi.geom && st_expand(area.geom, 0.001)
        and (placed.inside or placed.doubtful)
) as near
order by place
