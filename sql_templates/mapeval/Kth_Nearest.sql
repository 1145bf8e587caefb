/*
id: Kth_Nearest
version: 1
title: which of four places of a kind is the second, third, fourth or fifth nearest to a place
answer_type: option
scorer: option
dimension: nearby
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: category}
  ordinal: {type: form, pick: ordinal}
derive: kth_nearest
distractors: {strategy: near_places, layer: poi}
phrasings: kth_nearest
margins: {metres: 32, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
-- The places of a kind around the anchor: of thirty on the sphere by the index, the nearest on the spheroid.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.name as anchor_name,
    :category = any(anchor.classes) as is_own_class,
    :ordinal as ordinal
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        (
            select count(*)
            from place_name
            where
                place_name.form = replace(
                    lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss'
                )
        ) as bearers,
        st_distance(anchor.geog, poi.geog) as distance
    from (
        select poi_class.osm_key
        from poi_class
        where
            poi_class.class = :category
            and poi_class.osm_key <> anchor.osm_key
        order by poi_class.geog <-> anchor.geog
        limit 30
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
) as near
where anchor.osm_key = :anchor
order by place
limit 20
