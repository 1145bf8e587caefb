/*
id: Find_Junctions
version: 9
title: the roads that a road meets first and last in an area
answer_type: option
scorer: option
parameters:
  stretch: {type: within, layer: road, area: aoi, pick: road_in_aoi}
derive: junctions_option
variants:
  published: {strategy: junction_pairs, pool: area_roads, layer: road}
  hard: {strategy: junction_grid, layer: road}
phrasings: find_junctions
constants: {around_metres: 50, edge_metres: 1}
margins: {share: 0.8}
requires: [road, road_node, aoi, other_place]
search: region
*/
-- The road's ways made one line, the longest part of it in the area and around it, and its junctions: nodes that it
-- shares with another named road. A crossing without a shared node (a bridge) is none. `doubtful`: the node lies about
-- as far from the area as is looked.
select
    row_number() over (order by junction.location, junction.node_id, junction.cross_name) as place,
    near.osm_keys,
    near.repaired,
    part.share,
    part.closed,
    junction.node_id,
    junction.cross_name,
    junction.cross_key,
    junction.doubtful
from road as subject
inner join aoi as area on area.osm_key = split_part(:stretch, ' ', 2)
cross join lateral (
    select
        array_agg(way.osm_key order by way.osm_key) as osm_keys,
        array_agg(way.osm_id) as osm_ids,
        bool_or(way.repaired) as repaired,
        st_linemerge(st_collect(way.geom order by way.osm_key)) as geom
    from road as way
    where
        way.drivable
        and subject.name = way.name
) as near
cross join lateral (
    select
        st_linemerge(
            st_collectionextract(
                st_intersection(near.geom, st_buffer(area.geog, :around_metres, 'quad_segs=32')::geometry), 2
            )
        ) as geom
) as clipped
cross join lateral (
    select
        piece.geom,
        st_isclosed(piece.geom) as closed,
        st_length(piece.geom::geography) / nullif(sum(st_length(piece.geom::geography)) over (), 0) as share,
        case
            when st_x(st_startpoint(piece.geom)) < st_x(st_endpoint(piece.geom)) then piece.geom
            when
                st_x(st_startpoint(piece.geom)) = st_x(st_endpoint(piece.geom))
                and st_y(st_startpoint(piece.geom)) <= st_y(st_endpoint(piece.geom))
                then piece.geom
            else st_reverse(piece.geom)
        end as eastward
    from st_dump(clipped.geom) as piece
    order by share desc, piece.path
    limit 1
) as part
left join lateral (
    select
        node.node_id,
        other.name as cross_name,
        min(other.osm_key) as cross_key,
        st_linelocatepoint(part.eastward, node.geom) as location,
        st_dwithin(area.geog, node.geom::geography, :around_metres + :edge_metres)
        and not st_dwithin(area.geog, node.geom::geography, :around_metres - :edge_metres) as doubtful
    from road_node as node
    cross join lateral unnest(node.way_ids) as met (osm_id)
    inner join road as other
        on
            other.osm_key = 'w' || met.osm_id
            and other.drivable
            and btrim(other.name) <> ''
            and subject.name <> other.name
    where
        node.way_ids && near.osm_ids
        and (
            st_dwithin(part.geom, node.geom, 1e-8)
            or st_dwithin(area.geog, node.geom::geography, :around_metres + :edge_metres)
            and not st_dwithin(area.geog, node.geom::geography, :around_metres - :edge_metres)
        )
    group by node.node_id, node.geom, other.name
) as junction on true
where subject.osm_key = split_part(:stretch, ' ', 1)
order by place
