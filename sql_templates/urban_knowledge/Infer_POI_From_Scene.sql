/*
id: Infer_POI_From_Scene
version: 7
title: the kind of a place by what lies around it
answer_type: option
scorer: option
parameters:
  scene: {type: object, layer: poi, pick: scene_poi}
derive: kind_in_scene_option
variants:
  published: {strategy: pool, pool: corner_kinds, layer: poi, one_a_group: true}
  hard: {strategy: keyed_classes, layer: poi}
phrasings: infer_poi_from_scene
constants: {scene_metres: 200, edge_metres: 1, clear_metres: 300, inner_metres: 500, outer_metres: 1000}
limits: {shown: 8}
requires: [poi, aoi, other_place]
search: circle
*/
-- The hidden place's class, and the places around it, the nearest first (to a millimetre): as many as a scene shows.
-- `unfit`: what no wrong option may be, for a tag of something near says it, or one of the hidden place's own, whether
-- it is a point of interest or not.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    subject.osm_key as subject_key,
    subject.class as subject_class,
    near.osm_key,
    near.classes,
    near.repaired,
    near.distance,
    clear.unfit
from poi as subject
cross join lateral (
    select
        candidate.osm_key,
        candidate.classes,
        candidate.repaired,
        round(st_distance(subject.geog, candidate.geog)::numeric, 3)::double precision as distance
    from (
        select
            poi.osm_key,
            poi.classes,
            poi.repaired,
            poi.geog
        from poi
        where poi.osm_key <> subject.osm_key
        order by poi.geog <-> subject.geog
        limit 16
    ) as candidate
) as near
cross join lateral (
    select array_agg(distinct replace(said.text, '_', ' ')) as unfit
    from (
        select poi.tags
        from poi
        where st_dwithin(subject.geog, poi.geog, :clear_metres + :edge_metres)
        union all
        select other_place.tags
        from other_place
        where st_dwithin(subject.geog, other_place.geog, :clear_metres + :edge_metres)
    ) as around
    cross join lateral jsonb_each_text(around.tags) as tag (key, value)
    cross join lateral unnest(array[tag.key] || string_to_array(tag.value, ';')) as said (text)
    where tag.value <> 'no'
) as clear
where
    subject.osm_key = :scene
    and near.distance <= :scene_metres + :edge_metres
order by place
limit 8
