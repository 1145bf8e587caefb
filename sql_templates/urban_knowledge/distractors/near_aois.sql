-- The twenty named areas nearest to the place that do not contain it.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    '' as pool_group,
    near.osm_key,
    near.name as label
from poi as subject
cross join lateral (
    select
        aoi.osm_key,
        aoi.name,
        st_distance(subject.geog, aoi.geog) as distance
    from aoi
    where
        not st_covers(aoi.geom, subject.geom)
        and not aoi.repaired
    order by aoi.geog <-> subject.geog
    limit (:nearest)::integer
) as near
where
    subject.osm_key = :poi
    and near.distance > :edge_metres
order by place
