-- What could be called the longest of a kind in a region, whoever answers: lines of the kind or of one that people may
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
        select unnest(string_to_array(:line, ',')) as name
        union all
        select unnest(string_to_array(alike.names, ' ')) as name
        from (
            values
            ('road:motorway road:motorway_link road:trunk road:trunk_link'),
            ('road:primary road:primary_link road:secondary road:secondary_link road:tertiary road:tertiary_link'),
            ('road:living_street road:pedestrian road:residential road:service road:unclassified'),
            ('road:bridleway road:cycleway road:footway road:path road:steps road:track'),
            ('water:brook water:canal water:ditch water:drain water:river water:stream water:tidal_channel')
        ) as alike (names)
        where string_to_array(alike.names, ' ') && string_to_array(:line, ',')
    ) as kind
) as wide
left join lateral (
    select road.osm_key
    from road
    where
        'road:' || road.class = any(wide.names)
        and st_dwithin(road.geom, area.geom, 0.001)
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
