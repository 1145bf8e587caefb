/*
id: T12
version: 4
title: name of the longest road or waterway of a kind in a region
answer_type: name
scorer: name
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  line: {type: class, pick: line}
  semantics: {type: choice, pick: semantics, default: clipped}
derive: longest_in_region
phrasings: longest_in_region
constants: {along_metres: 20, piece_metres: 60, deep_metres: 5}
margins: {metres: 10, ratio: 0.02}
limits: {least: 100}
requires: [road, water, region]
search: region
*/
-- Ways of one name are one road: OSM cuts a road wherever something about it changes. Each way is cut off at the
-- boundary, in lon/lat, or counts whole where a part of it is inside, and is measured on the spheroid; a way that only
-- touches the boundary is not in it. Cut off, what lies within :along_metres of the boundary for :piece_metres or more
-- counts or not by a hair; so does a whole way that nowhere lies inside farther from the boundary, for :deep_metres in all.
-- `least` is the length of a name without all of this, `rival` the most that any name behind may have with it. A way that
-- is the boundary, node by node, is not in it.
select
    row_number() over (order by named.length desc, named.name) as place,
    named.*,
    max(named.most) over (
        order by named.length desc, named.name
        rows between 1 following and unbounded following
    ) as rival
from region as area
cross join lateral (
    -- an aggregate, so that it is made once
    select st_collect(st_buffer(st_boundary(region.geom)::geography, :along_metres)::geometry) as geom
    from region
    where region.osm_key = area.osm_key
) as band
cross join lateral (
    select
        piece.name,
        string_to_array(piece.name, ';') as each_name,
        bool_or(piece.repaired) filter (where piece.length is not null) as repaired,
        coalesce(sum(piece.length order by piece.osm_key), 0) as length,
        coalesce(sum(piece.length order by piece.osm_key), 0) - sum(piece.inside order by piece.osm_key) as least,
        coalesce(sum(piece.length order by piece.osm_key), 0) + sum(piece.outside order by piece.osm_key) as most,
        array_agg(piece.osm_key order by piece.osm_key) filter (where piece.length is not null) as osm_keys,
        array_agg(piece.lon order by piece.osm_key) filter (where piece.length is not null) as lons,
        array_agg(piece.lat order by piece.osm_key) filter (where piece.length is not null) as lats,
        array_agg(piece.length order by piece.osm_key) filter (where piece.length is not null) as lengths
    from (
        select
            part.osm_key,
            part.name,
            part.repaired,
            st_x(st_centroid(counted.geom)) as lon,
            st_y(st_centroid(counted.geom)) as lat,
            case when not st_isempty(counted.geom) then st_length(counted.geom::geography) end as length,
            along.inside,
            along.outside
        from (
            select
                road.osm_key,
                road.name,
                road.repaired,
                road.geom
            from road
            where
                'road:' || road.class = any(string_to_array(:line, ','))
                and road.name is not null
                and (st_intersects(road.geom, area.geom) or st_intersects(road.geom, band.geom))
            union all
            select
                water.osm_key,
                water.name,
                water.repaired,
                water.geom
            from water
            where
                'water:' || water.class = any(string_to_array(:line, ','))
                and water.name is not null
                and st_dimension(water.geom) = 1
                and (st_intersects(water.geom, area.geom) or st_intersects(water.geom, band.geom))
        ) as part
        cross join lateral (
            select
                case
                    when st_containsproperly(area.geom, part.geom) then part.geom
                    when st_intersects(area.geom, part.geom) and not st_touches(area.geom, part.geom)
                        then st_collectionextract(st_intersection(area.geom, part.geom), 2)
                end as inside
        ) as cut
        cross join lateral (
            select
                case
                    when :semantics = 'intersects' and not st_isempty(cut.inside) then part.geom
                    else cut.inside
                end as geom
        ) as counted
        cross join lateral (
            select
                coalesce(sum(near.inside), 0) as inside,
                coalesce(sum(near.metres - near.inside), 0) as outside
            from (
                select
                    st_length(part_of.geom::geography) as metres,
                    st_length(st_collectionextract(st_intersection(part_of.geom, area.geom), 2)::geography) as inside
                from st_dump(st_collectionextract(st_intersection(part.geom, band.geom), 2)) as part_of
                where
                    st_intersects(part.geom, band.geom)
                    and not st_covers(st_boundary(area.geom), part.geom)
            ) as near
            where near.metres >= :piece_metres
        ) as beside
        cross join lateral (
            select
                st_intersects(part.geom, band.geom)
                and not st_covers(st_boundary(area.geom), part.geom)
                and coalesce(st_length(st_difference(cut.inside, band.geom)::geography), 0) < :deep_metres as is_near
        ) as edge
        cross join lateral (
            select
                case
                    when :semantics = 'clipped' then beside.inside
                    when edge.is_near and not st_isempty(cut.inside) then st_length(part.geom::geography)
                    else 0
                end as inside,
                case
                    when :semantics = 'clipped' then beside.outside
                    when edge.is_near and st_isempty(coalesce(cut.inside, 'linestring empty'))
                        then st_length(part.geom::geography)
                    else 0
                end as outside
        ) as along
        where
            not st_isempty(cut.inside)
            or along.outside > 0
    ) as piece
    group by piece.name
) as named
where area.osm_key = :region
order by place
limit 3
