/*
id: Nearest_With
version: 1
title: which of four places of a kind that have something is nearest to a place
answer_type: option
scorer: option
dimension: nearby
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: filter, pick: narrowed}
derive: nearest_with
distractors: {strategy: near_places, layer: poi}
phrasings: nearest_with
margins: {metres: 32, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
-- Places that may have it come along, by another value than no, so that a doubtful answer can be refused: `is_sure` tells
-- them apart. Of thirty on the sphere by the index, the nearest on the spheroid.
with wanted as (
    select
        split_part(:category, ',', 1) as class,
        split_part(:category, ',', 2) as tag,
        split_part(:category, ',', 3) as value
)

select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.name as anchor_name,
    wanted.class = any(anchor.classes) as is_own_class,
    wanted.tag as tag
from poi as anchor
cross join wanted
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        wanted.value = any(regexp_split_to_array(btrim(poi.tags ->> wanted.tag), '\s*;\s*')) as is_sure,
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
        inner join poi as candidate on poi_class.osm_key = candidate.osm_key
        where
            poi_class.class = wanted.class
            and poi_class.osm_key <> anchor.osm_key
            and (
                wanted.value = any(regexp_split_to_array(btrim(candidate.tags ->> wanted.tag), '\s*;\s*'))
                or (wanted.tag <> 'cuisine' and candidate.tags ->> wanted.tag <> 'no')
            )
        order by poi_class.geog <-> anchor.geog
        limit 30
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
) as near
where anchor.osm_key = :anchor
order by place
limit 20
