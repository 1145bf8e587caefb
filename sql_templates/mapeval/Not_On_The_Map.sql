/*
id: Not_On_The_Map
version: 1
title: something about places of a kind that no map tells
answer_type: option
scorer: option
dimension: unanswerable
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: visited_category}
  untold: {type: form, pick: untold}
derive: not_on_the_map
distractors: {strategy: others, layer: poi, count: 4}
phrasings: not_on_the_map
limits: {places: 4, farthest: 5000}
requires: [poi, poi_area]
search: circle
*/
-- The four places of the kind that are nearest to the anchor and have a name of their own, with the keys of their tags.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.osm_key,
    near.name,
    near.distance,
    near.keys,
    :untold as untold
from (
    select
        poi.osm_key,
        poi.name,
        st_distance(anchor.geog, poi.geog) as distance,
        array(select jsonb_object_keys(poi.tags)) as keys
    from poi as anchor
    cross join lateral (
        select poi_class.osm_key
        from poi_class
        where
            poi_class.class = :category
            and poi_class.osm_key <> anchor.osm_key
        order by poi_class.geog <-> anchor.geog
        limit 20
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
    where
        anchor.osm_key = :anchor
        and not :category = any(anchor.classes)
        and not poi.repaired
        and btrim(poi.name) <> ''
        and poi.name not like '%;%'
        and (
            select count(*)
            from place_name
            where
                place_name.form = replace(
                    lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss'
                )
        ) = 1
) as near
order by place
limit 4
