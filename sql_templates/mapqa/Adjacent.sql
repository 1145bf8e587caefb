/*
id: Adjacent
version: 1
title: which places of another kind are next to a place
answer_type: names
scorer: mapqa_names
dimension: adjacent
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: amenity}
derive: places_around
phrasings: adjacent
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
                and poi_twin.class = :category
        ) as twice_mapped,
        st_distance(anchor.geog, poi.geog) as distance,
        st_distance(st_transform(anchor.geom, 3857), st_transform(poi.geom, 3857)) as mercator
    from poi_class
    inner join poi on poi_class.osm_key = poi.osm_key
    where
        poi_class.class = :category
        and poi_class.osm_key <> anchor.osm_key
        and st_dwithin(anchor.geog, poi_class.geog, :around_metres + :edge_metres)
) as near
where anchor.osm_key = :anchor
order by place
limit 50
