/*
id: Shortest_Way
version: 1
title: the shortest way from one corner to another along named straight segments
answer_type: route
scorer: urban_route
dimension: navigation
parameters:
  network: {type: group, layer: road, pick: network}
derive: printed_way
phrasings: shortest_way
margins: {least: 30, most: 1500}
requires: [road, road_node]
search: none
*/
-- The roads of a round in their order, each from where it meets the one before to where it meets the next. Where two roads
-- meet several times, the node with the smallest id counts.
with told as (
    select
        given.number,
        road.name,
        (
            select array_agg(way.osm_id)
            from road as way
            where
                way.name = road.name
                and way.drivable
        ) as osm_ids
    from unnest(string_to_array(:network, ',')) with ordinality as given (osm_key, number)
    inner join road on given.osm_key = road.osm_key
),

corner as (
    select
        one.number,
        node.geom
    from told as one
    inner join told as other on other.number = one.number % (select max(told.number) from told) + 1
    cross join lateral (
        select road_node.geom
        from road_node
        where
            road_node.way_ids && one.osm_ids
            and road_node.way_ids && other.osm_ids
        order by road_node.node_id
        limit 1
    ) as node
)

select
    row_number() over (order by told.number) as place,
    told.name,
    st_x(corner.geom) as lon,
    st_y(corner.geom) as lat
from told
inner join corner on told.number = corner.number
order by place
