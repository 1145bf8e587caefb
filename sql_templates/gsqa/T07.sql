/*
id: T7
version: 3
title: an external fact about the nearest place of a class
answer_type: fact
scorer: fact
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: fact_category}
  attribute: {type: attribute, pick: fact_attribute}
derive: nearest_fact
phrasings: fact_of_nearest
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
-- The nearest as in T5, of one class and so by the index over classes; then what is said of it. `chosen` leaves out
-- what sources contradict each other about.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.classes && string_to_array(:category, ',') as own_class,
    told.fact_id,
    told.attribute,
    told.kind,
    told.value,
    told.unit,
    told.names,
    told.source,
    told.credit,
    told.source_url,
    told.licence
from poi as anchor
cross join lateral (
    select
        candidate.osm_key,
        candidate.name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance
    from (
        select
            close_by.osm_key,
            min(close_by.apart) as apart
        from unnest(string_to_array(:category, ',')) as wanted (class)
        cross join lateral (
            select
                poi_class.osm_key,
                poi_class.geog <-> anchor.geog as apart
            from poi_class
            where
                poi_class.class = wanted.class
                and poi_class.osm_key <> anchor.osm_key
            order by apart
            limit 8
        ) as close_by
        group by close_by.osm_key
        order by apart, close_by.osm_key
        limit 8
    ) as nearby
    inner join poi as candidate on nearby.osm_key = candidate.osm_key
) as near
left join trigpoint.map_fact as told
    on
        near.osm_key = told.osm_key
        and told.set_id = :facts
        and told.topic = :attribute
        and told.chosen
where anchor.osm_key = :anchor
order by place
limit 3
