/*
id: T12
version: 1
title: name of the longest road or waterway of a kind in a region
answer_type: name
scorer: name
dimension: region
parameters:
  region: {type: object, layer: region, pick: region, none_means: no_region}
  line: {type: class, pick: line}
derive: longest_in_region
phrasings: longest_in_region
margins: {metres: 10, ratio: 0.02}
limits: {least: 100}
requires: [road, water, region]
search: region
*/
-- Ways of one name are one road: OSM cuts a road wherever something about it changes. Each way is cut off at the
-- boundary, in lon/lat, and the rest measured on the spheroid; a way that only touches the boundary is not in it.
select
    row_number() over (order by named.length desc, named.name) as place,
    named.*
from region as area
cross join lateral (
    select
        piece.name,
        bool_or(piece.repaired) as repaired,
        sum(piece.length order by piece.osm_key) as length,
        array_agg(piece.osm_key order by piece.osm_key) as osm_keys,
        array_agg(piece.lon order by piece.osm_key) as lons,
        array_agg(piece.lat order by piece.osm_key) as lats,
        array_agg(piece.length order by piece.osm_key) as lengths
    from (
        select
            part.osm_key,
            part.name,
            part.repaired,
            st_x(st_centroid(cut.inside)) as lon,
            st_y(st_centroid(cut.inside)) as lat,
            st_length(cut.inside::geography) as length
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
                and st_intersects(road.geom, area.geom)
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
                and st_intersects(water.geom, area.geom)
        ) as part
        cross join lateral (
            select
                case
                    when st_containsproperly(area.geom, part.geom) then part.geom
                    when not st_touches(area.geom, part.geom)
                        then st_collectionextract(st_intersection(area.geom, part.geom), 2)
                end as inside
        ) as cut
        where not st_isempty(cut.inside)
    ) as piece
    group by piece.name
) as named
where area.osm_key = :region
order by place
limit 3
