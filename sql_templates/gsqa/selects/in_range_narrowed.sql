-- As in_range. `category` is class, tag and values: restaurant,cuisine,pizza. A tag may hold several values, parted by
-- semicolons.
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
        st_distance(anchor.geog, poi.geog) as distance
    from poi_class
    inner join poi on poi_class.osm_key = poi.osm_key
    where
        poi_class.class = split_part(:category, ',', 1)
        and string_to_array(split_part(:category, ',', 3), '|')
        && regexp_split_to_array(btrim(poi.tags ->> split_part(:category, ',', 2)), '\s*;\s*')
        and poi.osm_key <> anchor.osm_key
        and (:named = 0 or poi.name is not null)
        and st_dwithin(anchor.geog, poi_class.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
    order by distance, poi.osm_key
    limit 21
) as near
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
