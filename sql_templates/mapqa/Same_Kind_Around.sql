/*
id: Same_Kind_Around
version: 1
title: which other places of its kind lie within a distance of a place
answer_type: names
scorer: mapqa_names
dimension: amenities_around_specific
parameters:
  anchor: {type: object, layer: poi, pick: amenity_place}
derive: places_around
phrasings: same_kind_around
constants: {around_metres: 50, edge_metres: 5}
limits: {most: 12}
requires: [poi]
search: circle
*/
-- Places just outside the circle come along, so that a doubtful one can be refused.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.name as anchor_name,
    anchor.tags ->> 'amenity' as own_amenity
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        (
            select count(*) > 0
            from poi_twin
            where
                poi_twin.osm_key = poi.osm_key
                and poi_twin.class = anchor.class
        ) as twice_mapped,
        st_distance(anchor.geog, poi.geog) as distance,
        st_distance(st_transform(anchor.geom, 3857), st_transform(poi.geom, 3857)) as mercator
    from poi_class
    inner join poi on poi_class.osm_key = poi.osm_key
    where
        poi_class.class = anchor.class
        and poi_class.osm_key <> anchor.osm_key
        and st_dwithin(anchor.geog, poi_class.geog, :around_metres + :edge_metres)
) as near
where anchor.osm_key = :anchor
order by place
limit 50
