-- Named places in the four squares that lie diagonally from the subject, 500 to 1,000 m east or west and north or
-- south of it. `pool_group` is the corner. A dozen a corner, in an order that depends on subject and place alone.
with offsets (corner, east, north) as (
    values ('ne', 1, 1), ('nw', -1, 1), ('se', 1, -1), ('sw', -1, -1)
)
select
    row_number() over (order by offsets.corner, near.shuffle, near.osm_key) as place,
    offsets.corner as pool_group,
    near.osm_key,
    near.name as label,
    near.lon,
    near.lat
from poi as subject
cross join offsets
cross join lateral (
    select
        st_project(subject.geog, :inner * sqrt(2), atan2(offsets.east, offsets.north)) as inner_corner,
        st_project(subject.geog, :outer * sqrt(2), atan2(offsets.east, offsets.north)) as outer_corner
) as square
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        md5(subject.osm_key || poi.osm_key) as shuffle
    from poi
    where
        poi.name is not null
        and not poi.repaired
        and st_intersects(
            poi.geom,
            st_makeenvelope(
                least(st_x(square.inner_corner::geometry), st_x(square.outer_corner::geometry)),
                least(st_y(square.inner_corner::geometry), st_y(square.outer_corner::geometry)),
                greatest(st_x(square.inner_corner::geometry), st_x(square.outer_corner::geometry)),
                greatest(st_y(square.inner_corner::geometry), st_y(square.outer_corner::geometry)),
                4326
            )
        )
    order by shuffle, poi.osm_key
    limit 12
) as near
where subject.osm_key = :poi
order by place
