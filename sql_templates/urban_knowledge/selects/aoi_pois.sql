-- Of each area: how many points of interest it covers, and of how many kinds; whether one of them is mapped twice. `sure_` without, `possible_` with those
-- that lie within a metre of its border, on whichever side. The border is looked at in degrees first, which is quick.
select
    row_number() over (order by counted.number desc, counted.osm_key) as place,
    counted.*,
    :rank as rank
from (
    select
        aoi.osm_key,
        aoi.name,
        inside.*
    from aoi
    cross join lateral (
        select st_boundary(aoi.geom) as geom
    ) as border
    cross join lateral (
        select
            count(*) filter (where placed.covers) as number,
            count(*) filter (where placed.covers and not placed.doubtful) as sure_number,
            count(*) as possible_number,
            count(distinct poi.class) filter (where placed.covers) as kinds,
            count(distinct poi.class) filter (where placed.covers and not placed.doubtful) as sure_kinds,
            count(distinct poi.class) as possible_kinds,
            coalesce(bool_or(poi.repaired), false) as repaired,
            coalesce(
                bool_or(poi.osm_key in (select poi_twin.osm_key from poi_twin)), false
            ) as twice_mapped,
            coalesce(array_agg(poi.osm_key order by poi.osm_key), '{}') as poi_keys
        from poi
        cross join lateral (
            select
                st_covers(aoi.geom, poi.geom) as covers,
                st_dwithin(border.geom, poi.geom, 0.0005)
                and st_dwithin(border.geom::geography, poi.geog, :edge_metres) as doubtful
        ) as placed
        where
            poi.geom && st_expand(aoi.geom, 0.0005)
            and (placed.covers or placed.doubtful)
    ) as inside
    where aoi.osm_key = any(string_to_array(:aois, ','))
) as counted
order by place
