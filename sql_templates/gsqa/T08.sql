/*
id: T8
version: 3
title: name of the place nearest to the one that an external fact describes
answer_type: name
scorer: name
dimension: nearest
parameters:
  anchor: {type: described, layer: poi, pick: described_poi}
  category: {type: class, pick: place_category}
derive: nearest_name_by_fact
phrasings: nearest_to_described
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
-- The anchor by what is said of it; `bearers` counts the places of which any source says the same. Then as T5.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    (
        select count(distinct bearer.osm_key)
        from trigpoint.map_fact as bearer
        where bearer.set_id = :facts and bearer.descriptor = :anchor
    ) as bearers,
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
from trigpoint.map_fact as told
inner join poi as anchor on told.osm_key = anchor.osm_key
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
where
    told.set_id = :facts
    and told.descriptor = :anchor
    and told.chosen
order by place
limit 3
