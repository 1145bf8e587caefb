-- Eight nearest on the sphere by the index, then in order on the spheroid: the two orders differ by a hair.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    to_jsonb(poi_address.*) as address
from poi as anchor
cross join lateral (
    select
        candidate.osm_key,
        candidate.name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance,
        degrees(st_azimuth(anchor.geog, candidate.geog)) as azimuth
    from (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            poi.geom,
            poi.geog
        from poi
        where
            poi.classes && string_to_array(:category, ',')
            and poi.osm_key <> anchor.osm_key
        order by poi.geog <-> anchor.geog
        limit 8
    ) as candidate
) as near
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
limit 3
