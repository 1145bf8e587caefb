-- As in_range. `aside` is the signed angle from the sector's centre, in [-180, 180]; the sector is
-- -22.5 <= aside < 22.5. Places up to one degree outside come along, so that the derivation can see what is doubtful.
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
        turned.aside - 360 * round(turned.aside / 360) as aside
    from poi
    cross join lateral (
        select degrees(st_azimuth(anchor.geog, poi.geog)) - 45 * :sector as aside
    ) as turned
    where
        poi.classes && string_to_array(:category, ',')
        and poi.osm_key <> anchor.osm_key
        and (:named = 0 or poi.name is not null)
        and st_dwithin(anchor.geog, poi.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
        and abs(turned.aside - 360 * round(turned.aside / 360)) <= :half_width + :edge
    order by distance, poi.osm_key
    limit 21
) as near
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
