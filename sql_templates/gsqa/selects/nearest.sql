-- Eight nearest of each class on the sphere by the index, eight of all, then in order on the spheroid: the two orders
-- differ by a hair.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    to_jsonb(poi_address.*) as address
from poi as anchor
cross join lateral (
    select
        candidate.osm_key,
        candidate.name,
        string_to_array(candidate.name, ';') as each_name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance,
        degrees(st_azimuth(anchor.geog, candidate.geog)) as azimuth
    from (
        select
            close_by.osm_key,
            min(close_by.apart) as apart
        from unnest(string_to_array(:category, ',')) as wanted (class)
        cross join lateral (
            select
                poi_class.osm_key,
                poi_class.geog <-> anchor.geog as apart
            from poi_class
            where
                poi_class.class = wanted.class
                and poi_class.osm_key <> anchor.osm_key
            order by apart
            limit 8
        ) as close_by
        group by close_by.osm_key
        order by apart, close_by.osm_key
        limit 8
    ) as nearby
    inner join poi as candidate on nearby.osm_key = candidate.osm_key
) as near
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
limit 3
