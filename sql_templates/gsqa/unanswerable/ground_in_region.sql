-- What could be called the largest of a kind in a region, whoever answers: areas of the kind or of one that people may
-- take for it, named or not, that come within 0.001 degrees of the region. Without any there is one row without a key.
select
    row_number() over (order by near.osm_key) as place,
    near.osm_key,
    false as is_area,
    cast(null as text) as anchor_class
from region as area
cross join lateral (
    select
        array_agg(distinct kind.name) as names
    from (
        select unnest(string_to_array(:ground, ',')) as name
        union all
        select unnest(string_to_array(alike.names, ' ')) as name
        from (
            values
            ('park:common park:garden park:park park:recreation_ground park:village_green'),
            ('park:golf_course park:recreation_ground park:sports_centre'),
            ('park:national_park park:nature_reserve park:protected_area'),
            ('water:basin water:lagoon water:lake water:oxbow water:pond water:reservoir water:water')
        ) as alike (names)
        where string_to_array(alike.names, ' ') && string_to_array(:ground, ',')
    ) as kind
) as wide
left join lateral (
    select park.osm_key
    from park
    where
        'park:' || park.class = any(wide.names)
        and st_dwithin(park.geom, area.geom, 0.001)
    union all
    select water.osm_key
    from water
    where
        'water:' || water.class = any(wide.names)
        and st_dwithin(water.geom, area.geom, 0.001)
    limit 3
) as near on true
where area.osm_key = :region
order by place
