/*
id: Infer_POI_From_Scene
version: 3
title: the kind of a place by what lies around it
answer_type: option
scorer: option
dimension: surroundings
parameters:
  scene: {type: object, layer: poi, pick: scene_poi}
derive: scene_option
variants:
  published: {strategy: pool, pool: corner_kinds, layer: poi, one_a_group: true}
  hard: {strategy: alike, layer: poi}
phrasings: infer_poi_from_scene
constants: {scene_metres: 200, edge_metres: 1, clear_metres: 300, inner_metres: 500, outer_metres: 1000}
limits: {shown: 8}
requires: [poi, aoi]
search: circle
*/
-- The hidden place's class, and the places around it, the nearest first (to a millimetre): as many as a scene shows.
-- `unfit`: the classes that no wrong option may be, for there is one near.
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
    select array_agg(distinct replace(of_poi.class, '_', ' ')) as unfit
    from poi
    cross join lateral unnest(poi.classes) as of_poi (class)
    where
        st_dwithin(subject.geog, poi.geog, :clear_metres + :edge_metres)
        and poi.osm_key <> subject.osm_key
) as clear
where
    subject.osm_key = :scene
    and near.distance <= :scene_metres + :edge_metres
order by place
limit 8
