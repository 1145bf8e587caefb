/*
id: Open_Nearby
version: 1
title: which places of a kind within a distance are open at a time
answer_type: option
scorer: option
dimension: nearby
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: category}
  moment: {type: form, pick: moment}
  distance: {type: metres, pick: radius}
derive: open_nearby
distractors: {strategy: other_lists}
phrasings: open_nearby
constants: {edge_metres: 16, edge_ratio: 0.02}
limits: {least: 3, most: 9}
margins: {minutes: 10}
requires: [poi, poi_area]
search: circle
*/
-- Those with opening hours, in the circle and just outside.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.name as anchor_name,
    :category = any(anchor.classes) as is_own_class,
    :moment as moment
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.tags ->> 'opening_hours' as opening_hours,
        (
            select count(*) > 0
            from poi_twin
            where
                poi_twin.osm_key = poi.osm_key
                and poi_twin.class = :category
        ) as twice_mapped,
        st_distance(anchor.geog, poi.geog) as distance
    from poi_class
    inner join poi on poi_class.osm_key = poi.osm_key
    where
        poi_class.class = :category
        and poi_class.osm_key <> anchor.osm_key
        and poi.tags ->> 'opening_hours' <> ''
        and st_dwithin(anchor.geog, poi_class.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
) as near
where anchor.osm_key = :anchor
order by place
limit 50
