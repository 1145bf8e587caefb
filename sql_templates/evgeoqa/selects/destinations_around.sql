-- The nearest `most_rows` destinations in the connected part of the road network that the user is in, that have a place of the
-- activity within the distance and its margin, each with the nearest such place. The part is that of the nearest road
-- for cars, and at a junction the largest. `seen`: how many destinations of any part lie as near as the row's; `unconnected`:
-- how many of them are in another part and have such a place. Both are for destinations that one sees from the user's
-- place. `in_water`: the user's place is on water. Without a destination there is one row.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    counted.seen,
    counted.unconnected,
    asked.lon as user_lon,
    asked.lat as user_lat,
    asked.density,
    asked.part,
    (
        select count(*) > 0
        from water
        where st_dimension(water.geom) = 2 and st_intersects(water.geom, asked.geom)
    ) as in_water
from (
    select
        told.*,
        told.geom::geography as geog,
        (
            select min(edge.car_part) filter (where edge.metres <= least(edge.least + :alike_metres, :road_metres))
            from (
                select
                    road_edge.car_part,
                    st_distance(road_edge.geom::geography, told.geom::geography) as metres,
                    min(st_distance(road_edge.geom::geography, told.geom::geography)) over () as least
                from road_edge
                cross join lateral (
                    select min(st_distance(first.geom::geography, told.geom::geography)) + 1 as metres
                    from (
                        select road.geom
                        from road_edge as road
                        where road.car_forward_kmh is not null or road.car_backward_kmh is not null
                        order by road.geom <-> told.geom
                        limit 4
                    ) as first
                ) as guess
                where
                    (road_edge.car_forward_kmh is not null or road_edge.car_backward_kmh is not null)
                    and road_edge.geom && st_expand(
                        told.geom, guess.metres / (110000 * cos(radians(told.lat))), guess.metres / 110000
                    )
            ) as edge
        ) as part
    from (
        select
            split_part(:user, ',', 1)::double precision as lon,
            split_part(:user, ',', 2)::double precision as lat,
            split_part(:user, ',', 3) as density,
            st_setsrid(
                st_makepoint(
                    split_part(:user, ',', 1)::double precision, split_part(:user, ',', 2)::double precision
                ),
                4326
            ) as geom
    ) as told
) as asked
left join lateral (
    select
        found.osm_key,
        found.osm_keys,
        found.name,
        found.repaired,
        st_x(found.geom) as lon,
        st_y(found.geom) as lat,
        st_distance(found.geog, asked.geog) as distance,
        beside.osm_key as poi_key,
        beside.name as poi_name,
        beside.class as poi_class,
        beside.repaired as poi_repaired,
        beside.metres as poi_metres
    from (
        select
            destination.*,
            destination.geog <-> asked.geog as apart
        from destination
        where destination.class = :destination and destination.car_part = asked.part
        order by destination.geog <-> asked.geog
    ) as found
    cross join lateral (
        select
            poi.osm_key,
            poi.name,
            poi.class,
            poi.repaired,
            st_distance(poi.geog, found.geog) as metres
        from unnest(string_to_array(:activity, ',')) as wanted (class)
        cross join lateral (
            select poi_class.osm_key
            from poi_class
            where
                poi_class.class = wanted.class
                and st_dwithin(poi_class.geog, found.geog, :beside_metres + :edge_metres)
                and poi_class.osm_key <> all(found.osm_keys)
            order by poi_class.geog <-> found.geog
            limit 4
        ) as close
        inner join poi on close.osm_key = poi.osm_key
        order by metres, poi.osm_key
        limit 1
    ) as beside
    order by found.apart, found.osm_key
    limit cast(:most_rows as bigint)
) as near on true
left join lateral (
    select
        count(*) as seen,
        count(*) filter (
            where
                other.car_part is distinct from asked.part
                and exists (
                    select
                    from unnest(string_to_array(:activity, ',')) as wanted (class)
                    inner join poi_class on wanted.class = poi_class.class
                    where
                        st_dwithin(poi_class.geog, other.geog, :beside_metres + :edge_metres)
                        and poi_class.osm_key <> all(other.osm_keys)
                )
        ) as unconnected
    from destination as other
    where
        near.distance <= :view_metres
        and other.class = :destination
        and st_dwithin(other.geog, asked.geog, near.distance + :alike_metres)
) as counted on true
order by place
