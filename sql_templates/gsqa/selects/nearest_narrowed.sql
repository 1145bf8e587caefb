-- As nearest. `category` is class, tag and values: restaurant,cuisine,pizza. A tag may hold several values, parted by
-- semicolons. Beyond `reach` metres nothing is looked for.
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
        st_distance(anchor.geog, candidate.geog) as distance
    from (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            poi.geom,
            poi.geog
        from poi_class
        inner join poi on poi_class.osm_key = poi.osm_key
        where
            poi_class.class = split_part(:category, ',', 1)
            and string_to_array(split_part(:category, ',', 3), '|')
            && regexp_split_to_array(btrim(poi.tags ->> split_part(:category, ',', 2)), '\s*;\s*')
            and poi.osm_key <> anchor.osm_key
            and st_dwithin(anchor.geog, poi_class.geog, :reach)
        order by poi_class.geog <-> anchor.geog
        limit 8
    ) as candidate
) as near
left join poi_address on near.osm_key = poi_address.osm_key
where anchor.osm_key = :anchor
order by place
limit 3
