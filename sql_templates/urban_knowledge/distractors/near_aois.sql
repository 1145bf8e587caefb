-- The twenty named areas nearest to the place that do not contain it, of those whose name nothing else on the map has.
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
        and (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) = 1
    order by aoi.geog <-> subject.geog
    limit (:nearest)::integer
) as near
where
    subject.osm_key = :poi
    and near.distance > :edge_metres
order by place
