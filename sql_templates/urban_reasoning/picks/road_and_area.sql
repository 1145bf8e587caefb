-- A way of a road, and an area of another name: those that meet, and six for ten of these that lie up to 0.004
-- degrees (some 400 m) apart, drawn by hash: more of the latter become questions.
with way as (
    select
        road.osm_key,
        btrim(road.name) as name,
        road.geom
    from road
    where
        not road.repaired
        and btrim(road.name) <> ''
        and st_length(road.geog) between 40 and 5000
        and not st_isclosed(road.geom)
),

near as (
    select
        way.osm_key as road_key,
        aoi.osm_key as area_key,
        way.name as road_name,
        btrim(aoi.name) as area_name,
        st_intersects(way.geom, aoi.geom) as meets
    from way
    inner join aoi
        on
            st_dwithin(way.geom, aoi.geom, 0.004)
            and way.name <> btrim(aoi.name)
            and btrim(aoi.name) <> ''
            and not aoi.repaired
            and st_numgeometries(aoi.geom) = 1
),

ranked as (
    select
        near.*,
        row_number() over (partition by near.meets order by md5(near.road_key || near.area_key), near.road_key, near.area_key) as turn,
        count(*) filter (where near.meets) over () as meeting
    from near
)

select
    ranked.road_key || ' ' || ranked.area_key as value,
    regexp_replace(ranked.road_name || ' and ' || ranked.area_name, '\s+', ' ', 'g') as label
from ranked
where
    ranked.meets
    or ranked.turn <= 0.6 * ranked.meeting
order by value
