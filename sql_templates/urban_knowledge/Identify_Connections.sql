/*
id: Identify_Connections
version: 8
title: the road that is, or is not, connected with a road in an area and around it
answer_type: option
scorer: option
parameters:
  stretch: {type: within, layer: road, area: aoi, pick: road_in_aoi}
  form: {type: form, pick: connection_form}
derive: connection_option
variants:
  published: {strategy: connections, layer: road}
  hard: {strategy: keyed_roads, layer: road}
phrasings: identify_connections
constants: {around_metres: 50, edge_metres: 1}
limits: {few: 2}
requires: [road, road_node, aoi, other_place]
search: region
*/
-- Roads by how they are connected: 1, they share a node with the road in the area and around it; 2, they share one there
-- with such a road, and none with the road wherever on the map; 3, other roads there that share none with it.
-- `doubtful`: a node that decides lies about as far from the area as is looked. `turn`: an order that depends on question
-- and road alone.
select
    row_number() over (order by near.hop, md5(:stretch || near.name), near.name) as place,
    near.name,
    near.hop,
    md5(:stretch || near.name) as turn,
    near.osm_key,
    own.osm_keys,
    own.repaired,
    coalesce(one.doubtful, false) or coalesce(two.doubtful, false) as doubtful,
    :form as form
from road as subject
inner join aoi as area on area.osm_key = split_part(:stretch, ' ', 2)
cross join lateral (
    select
        array_agg(way.osm_key order by way.osm_key) as osm_keys,
        array_agg(way.osm_id) as osm_ids,
        bool_or(way.repaired) as repaired
    from road as way
    where
        way.drivable
        and subject.name = way.name
) as own
cross join lateral (
    -- an aggregate, so that both are made once; what lies outside the box, which has a third to spare for edges that
    -- leave their geodesics, need not be measured
    select
        st_collect(st_buffer(aoi.geog, :around_metres)::geometry) as geom,
        st_collect(
            st_expand(
                aoi.geom,
                4 / 3.0 * (:around_metres + :edge_metres) / 110574
                / cos(radians(greatest(abs(st_ymin(aoi.geom)), abs(st_ymax(aoi.geom)))))
            )
        ) as box
    from aoi
    where aoi.osm_key = area.osm_key
) as around
cross join lateral (
    with node as materialized (
        select
            road_node.way_ids,
            case when road_node.geom && around.box then st_distance(area.geog, road_node.geom::geography) end as metres
        from road_node
        where road_node.way_ids && own.osm_ids
    )
    select
        coalesce(array_agg(distinct other.name), '{}') as met,
        coalesce(array_agg(distinct other.name) filter (where node.metres <= :around_metres), '{}') as names,
        bool_or(
            node.metres <= :around_metres + :edge_metres
            and node.metres > :around_metres - :edge_metres
        ) as doubtful
    from node
    cross join lateral unnest(node.way_ids) as shared (osm_id)
    inner join road as other
        on
            other.osm_key = 'w' || shared.osm_id
            and other.drivable
            and btrim(other.name) <> ''
            and subject.name <> other.name
) as one
cross join lateral (
    select array_agg(way.osm_id) as osm_ids
    from road as way
    where
        way.name = any(one.names)
        and way.drivable
) as neighbour
cross join lateral (
    with node as materialized (
        select
            road_node.way_ids,
            case when road_node.geom && around.box then st_distance(area.geog, road_node.geom::geography) end as metres
        from road_node
        where road_node.way_ids && neighbour.osm_ids
    )
    select
        coalesce(array_agg(distinct other.name) filter (where node.metres <= :around_metres), '{}') as names,
        bool_or(node.metres > :around_metres - :edge_metres) as doubtful
    from node
    cross join lateral unnest(node.way_ids) as shared (osm_id)
    inner join road as other
        on
            other.osm_key = 'w' || shared.osm_id
            and other.drivable
            and btrim(other.name) <> ''
            and subject.name <> other.name
            and other.name <> all(one.met)
    where node.metres <= :around_metres + :edge_metres
) as two
cross join lateral (
    select
        known.name,
        min(known.hop) as hop,
        min(way.osm_key) as osm_key
    from (
        select
            unnest(one.names) as name,
            1 as hop
        union all
        select
            unnest(two.names) as name,
            2 as hop
        union all
        select
            other.name,
            3 as hop
        from road as other
        where
            other.drivable
            and btrim(other.name) <> ''
            and other.name <> subject.name
            and other.name <> all(one.met)
            and st_intersects(other.geom, around.geom)
    ) as known
    inner join road as way
        on
            known.name = way.name
            and way.drivable
    group by known.name
) as near
where subject.osm_key = split_part(:stretch, ' ', 1)
order by place
