-- `aside` is the signed angle from the sector's centre, in [-180, 180]; the sector is -22.5 <= aside < 22.5.
-- Places up to one degree outside come along, so that a question with a place on the edge can be refused.
-- Beyond `reach` metres nothing is looked for: where a sector is empty, every place of the map would be measured.
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
        candidate.aside
    from (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            poi.geom,
            poi.geog,
            turned.aside - 360 * round(turned.aside / 360) as aside
        from poi
        cross join lateral (
            select degrees(st_azimuth(anchor.geog, poi.geog)) - 45 * :sector as aside
        ) as turned
        where
            poi.classes && string_to_array(:category, ',')
            and poi.osm_key <> anchor.osm_key
            and st_dwithin(anchor.geog, poi.geog, :reach)
            and abs(turned.aside - 360 * round(turned.aside / 360)) <= :half_width + :edge
        order by poi.geog <-> anchor.geog
        limit 12
    ) as candidate
) as near
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
limit 8
