/*
id: At_Intersection
version: 1
title: the nearest amenity of a kind to where two roads meet
answer_type: name
scorer: name
dimension: intersection
parameters:
  crossing: {type: group, layer: road, pick: crossing}
  category: {type: class, pick: amenity}
derive: nearest_to_crossing
phrasings: at_intersection
constants: {reach: 2000}
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, road, road_node]
search: point
*/
-- The node at which ways of both names meet; `nodes` counts them. Eight nearest on the sphere by the index, then in order
-- on the spheroid.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    one.name as first_road,
    other.name as second_road,
    junction.nodes,
    st_x(junction.geom) as node_lon,
    st_y(junction.geom) as node_lat
from road as one
cross join road as other
cross join lateral (
    select
        counted.nodes,
        counted.geom,
        counted.geom::geography as geog
    from (
        select
            count(*) as nodes,
            st_geometryn(st_collect(node.geom order by node.node_id), 1) as geom
        from (
            select array_agg(way.osm_id) as ids
            from road as way
            where way.name = one.name
        ) as of_one
        cross join (
            select array_agg(way.osm_id) as ids
            from road as way
            where way.name = other.name
        ) as of_other
        inner join road_node as node
            on
                node.way_ids && of_one.ids
                and node.way_ids && of_other.ids
    ) as counted
) as junction
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        st_distance(junction.geog, poi.geog) as distance
    from (
        select poi_class.osm_key
        from poi_class
        where
            poi_class.class = :category
            and st_dwithin(junction.geog, poi_class.geog, :reach)
        order by poi_class.geog <-> junction.geog
        limit 8
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
) as near
where
    one.osm_key = split_part(:crossing, ',', 1)
    and other.osm_key = split_part(:crossing, ',', 2)
order by place
limit 3
