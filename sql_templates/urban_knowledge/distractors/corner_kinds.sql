-- Classes of places in each corner square around the hidden place (500 to 1,000 m east or west, and north or south),
-- by corner; none of a class that occurs within 300 m of it. A dozen a corner, in an order that depends on both places
-- alone.
select
    row_number() over (order by ranked.pool_group, ranked.turn) as place,
    ranked.pool_group,
    ranked.osm_key,
    ranked.class,
    replace(ranked.class, '_', ' ') as also
from (
    select
        (corner.east > 0)::integer * 2 + (corner.north > 0)::integer as pool_group,
        poi.osm_key,
        poi.class,
        row_number() over (
            partition by corner.east > 0, corner.north > 0
            order by md5(subject.osm_key || poi.osm_key), poi.osm_key
        ) as turn
    from poi as subject
    inner join poi
        on
            st_dwithin(subject.geog, poi.geog, :outer_metres * 1.5)
            and not poi.repaired
            and cardinality(poi.classes) = 1
            and poi.class not in (
                'amenity', 'craft', 'healthcare', 'historic', 'leisure', 'office', 'railway', 'shop', 'tourism'
            )
    cross join lateral (
        select
            st_distance(subject.geog, poi.geog) * sin(st_azimuth(subject.geog, poi.geog)) as east,
            st_distance(subject.geog, poi.geog) * cos(st_azimuth(subject.geog, poi.geog)) as north
    ) as corner
    where
        subject.osm_key = :scene
        and abs(corner.east) between :inner_metres and :outer_metres
        and abs(corner.north) between :inner_metres and :outer_metres
        and not exists (
            select
            from poi as near
            where
                st_dwithin(subject.geog, near.geog, :clear_metres + :edge_metres)
                and poi.class = any(near.classes)
        )
) as ranked
where ranked.turn <= 12
order by place
