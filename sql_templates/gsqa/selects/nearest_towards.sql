-- `aside` is the signed angle from the bearing towards the second anchor, in [-180, 180]; the sector is
-- -22.5 <= aside < 22.5. One row without a place says how far the anchors are apart where nothing is found.
-- Places up to one degree outside come along, so that the derivation can see what is doubtful. Beyond `reach` metres
-- nothing is looked for.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    goal.apart,
    near.*,
    to_jsonb(poi_address.*) as address
from poi as anchor
cross join lateral (
    select
        st_distance(anchor.geog, poi.geog) as apart,
        degrees(st_azimuth(anchor.geog, poi.geog)) as bearing
    from poi
    where poi.osm_key = :towards
) as goal
left join lateral (
    select
        candidate.osm_key,
        candidate.name,
        string_to_array(candidate.name, ';') as each_name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance,
        nearby.aside
    from (
        select
            close_by.osm_key,
            min(close_by.apart) as apart,
            min(close_by.aside) as aside
        from unnest(string_to_array(:category, ',')) as wanted (class)
        cross join lateral (
            select
                poi_class.osm_key,
                poi_class.geog <-> anchor.geog as apart,
                turned.aside - 360 * round(turned.aside / 360) as aside
            from poi_class
            cross join lateral (
                select degrees(st_azimuth(anchor.geog, poi_class.geog)) - goal.bearing as aside
            ) as turned
            where
                poi_class.class = wanted.class
                and poi_class.osm_key <> anchor.osm_key
                and st_dwithin(anchor.geog, poi_class.geog, :reach)
                and abs(turned.aside - 360 * round(turned.aside / 360)) <= :half_width + :edge
                and goal.apart between :apart_least and :apart_most
            order by apart
            limit 12
        ) as close_by
        group by close_by.osm_key
        order by apart, close_by.osm_key
        limit 12
    ) as nearby
    inner join poi as candidate on nearby.osm_key = candidate.osm_key
) as near on true
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
limit 8
