-- `named` 1 takes named places only. Of 21 rows one is more than a question may have answers.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    to_jsonb(poi_address.*) as address
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        string_to_array(poi.name, ';') as each_name,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        st_distance(anchor.geog, poi.geog) as distance,
        degrees(st_azimuth(anchor.geog, poi.geog)) as azimuth
    from poi
    where
        poi.classes && string_to_array(:category, ',')
        and poi.osm_key <> anchor.osm_key
        and (:named = 0 or poi.name is not null)
        and st_dwithin(anchor.geog, poi.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
    order by distance, poi.osm_key
    limit 21
) as near
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
