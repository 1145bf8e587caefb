/*
id: Nearest_Then
version: 2
title: name of the place of a kind that is nearest to the nearest place of another kind
answer_type: name
scorer: name
dimension: trip
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: category}
  next: {type: class, pick: category}
derive: nearest_then
phrasings: nearest_then
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi]
search: circle
*/
-- Two steps: the places nearest to the anchor, and those nearest to the first of these. Eight on the sphere by the index,
-- then in order on the spheroid.
with one_step as (
    select
        anchor.name as anchor_name,
        :category = any(anchor.classes) or :next = any(anchor.classes) or :category = :next as is_own_class,
        poi.*,
        st_distance(anchor.geog, poi.geog) as distance
    from poi as anchor
    cross join lateral (
        select poi_class.osm_key
        from poi_class
        where
            poi_class.class = :category
            and poi_class.osm_key <> anchor.osm_key
        order by poi_class.geog <-> anchor.geog
        limit 8
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
    where anchor.osm_key = :anchor
),

first_place as (
    select one_step.*
    from one_step
    order by one_step.distance, one_step.osm_key
    limit 1
),

other_step as (
    select
        poi.*,
        st_distance(first_place.geog, poi.geog) as distance
    from first_place
    cross join lateral (
        select poi_class.osm_key
        from poi_class
        where
            poi_class.class = :next
            and poi_class.osm_key <> first_place.osm_key
        order by poi_class.geog <-> first_place.geog
        limit 8
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
),

found as (
    select
        1 as step,
        one_step.osm_key,
        one_step.name,
        one_step.repaired,
        one_step.geom,
        one_step.distance
    from one_step
    union all
    select
        2 as step,
        other_step.osm_key,
        other_step.name,
        other_step.repaired,
        other_step.geom,
        other_step.distance
    from other_step
)

select
    row_number() over (order by found.step, found.distance, found.osm_key) as place,
    found.step,
    found.osm_key,
    found.name,
    found.repaired,
    st_x(found.geom) as lon,
    st_y(found.geom) as lat,
    found.distance,
    first_place.anchor_name,
    first_place.is_own_class
from found
cross join first_place
order by place
