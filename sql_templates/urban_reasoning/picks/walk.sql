-- Ways of streets along which somebody may walk, where at least three places to eat or drink that tell their opening hours
-- are within 300 m.
select
    road.osm_key as value,
    regexp_replace(btrim(road.name), '\s+', ' ', 'g') as label,
    road.name as name
from road
where
    not road.repaired
    and road.class not in ('motorway', 'motorway_link', 'trunk', 'trunk_link', 'construction', 'proposed')
    and btrim(road.name) <> ''
    and st_length(road.geog) between 60 and 2000
    and not st_isclosed(road.geom)
    and (
        select count(*)
        from poi
        where
            poi.class in ('restaurant', 'cafe', 'fast_food', 'bar', 'pub', 'biergarten', 'ice_cream', 'bakery', 'food_court')
            and poi.tags ? 'opening_hours'
            and st_dwithin(poi.geog, road.geog, 300)
    ) >= 3
order by road.osm_key
