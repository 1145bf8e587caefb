-- Pairs of ways of roads with other names, at most 0.002 degrees (some 200 m) apart: those that meet, those that run in about the same
-- direction, and those that do not. As many of each kind, drawn by hash, since questions need one as often as another.
with way as materialized (
    select
        road.osm_key,
        btrim(road.name) as name,
        road.geom,
        degrees(st_azimuth(st_startpoint(road.geom)::geography, st_endpoint(road.geom)::geography)) as heading
    from road
    where
        road.drivable
        and not road.repaired
        and btrim(road.name) <> ''
        and st_length(road.geog) between 40 and 3000
        and not st_isclosed(road.geom)
),

near as (
    select
        one.osm_key,
        other.osm_key as other_key,
        one.name,
        other.name as other_name,
        st_intersects(one.geom, other.geom) as meets,
        st_dwithin(one.geom, other.geom, 0.0003) as close_by,
        abs((one.heading - other.heading + 540)::numeric % 180 - 90) as squareness
    from way as one
    inner join road as found
        on
            one.osm_key < found.osm_key
            and st_dwithin(one.geom, found.geom, 0.002)
    inner join way as other
        on
            found.osm_key = other.osm_key
            and one.name <> other.name
),

sorted as (
    select
        near.osm_key,
        near.other_key,
        near.name,
        near.other_name,
        case
            when near.meets then 'meets'
            when near.squareness >= 82 then 'along'
            else 'across'
        end as kind
    from near
    where
        near.meets
        or (not near.close_by and (near.squareness >= 82 or near.squareness <= 63))
),

ranked as (
    select
        sorted.*,
        count(*) filter (where sorted.kind = 'meets') over () as meeting,
        row_number() over (
            partition by sorted.kind order by md5(sorted.osm_key || sorted.other_key), sorted.osm_key, sorted.other_key
        ) as turn
    from sorted
)

select
    array[ranked.osm_key, ranked.other_key] as value,
    ranked.osm_key || ',' || ranked.other_key as bind,
    regexp_replace(ranked.name || ' and ' || ranked.other_name, '\s+', ' ', 'g') as label,
    array[ranked.name, ranked.other_name] as names
from ranked
where ranked.turn <= ranked.meeting
order by value
