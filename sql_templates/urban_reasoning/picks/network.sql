-- Rounds of five or six roads with names of their own, each of which meets the next one; from where the last meets the
-- first, there are two ways to where the second meets the third (of six, the third the fourth). The shorter way is at
-- least three percent shorter, and the longer one at most twice as long. Where two roads meet several times, the node
-- with the smallest id counts. Up to four rounds a start, drawn by hash.
with way as (
    select
        road.osm_id,
        road.osm_key,
        road.name
    from road
    where
        road.drivable
        and not road.repaired
        and btrim(road.name) <> ''
        and road.name !~ '[:→>]'
),

called as (
    select
        way.name,
        min(way.osm_key) as osm_key
    from way
    group by way.name
),

meeting as (
    select distinct on (one.name, other.name)
        one.name,
        other.name as other_name,
        road_node.node_id,
        road_node.geom::geography as geog
    from road_node
    cross join lateral unnest(road_node.way_ids) as first (osm_id)
    cross join lateral unnest(road_node.way_ids) as second (osm_id)
    inner join way as one on first.osm_id = one.osm_id
    inner join way as other on second.osm_id = other.osm_id
    where one.name <> other.name
    order by one.name, other.name, road_node.node_id
),

hop as materialized (
    select
        one.name,
        one.other_name as before,
        other.other_name as behind,
        one.node_id as start_id,
        other.node_id as end_id,
        st_distance(one.geog, other.geog) as metres
    from meeting as one
    inner join meeting as other
        on
            one.name = other.name
            and one.other_name <> other.other_name
            and one.node_id <> other.node_id
            and st_dwithin(one.geog, other.geog, 700)
    where not st_dwithin(one.geog, other.geog, 40)
),

two as materialized (
    select
        array[one.name, other.name] as names,
        one.before,
        other.behind,
        one.start_id,
        other.end_id,
        one.metres + other.metres as metres
    from hop as one
    inner join hop as other
        on
            one.end_id = other.start_id
            and one.behind = other.name
            and one.name = other.before
            and one.before <> other.name
            and one.start_id <> other.end_id
            and one.before <> other.behind
),

three as materialized (
    select
        two.names || hop.name as names,
        two.before,
        hop.behind,
        two.start_id,
        hop.end_id,
        two.metres + hop.metres as metres
    from two
    inner join hop
        on
            two.end_id = hop.start_id
            and two.behind = hop.name
            and two.names[2] = hop.before
            and two.names[1] <> hop.name
            and two.before <> hop.behind
            and hop.behind <> two.names[1]
            and two.start_id <> hop.end_id
    where two.before <> hop.name
),

round_trip as (
    select
        shorter.names || array[longer.names[3], longer.names[2], longer.names[1]] as names,
        shorter.start_id,
        shorter.before,
        shorter.behind,
        shorter.metres,
        longer.metres as other_metres
    from (
        select * from two
        union all
        select * from three
    ) as shorter
    inner join three as longer
        on
            shorter.start_id = longer.start_id
            and shorter.end_id = longer.end_id
            and shorter.before = longer.names[1]
            and longer.before = shorter.names[1]
            and shorter.behind = longer.names[3]
            and not shorter.names && longer.names
    where
        cardinality(shorter.names) = 2
        or shorter.names[1] < longer.names[1]
),

ranked as (
    select
        round_trip.names,
        row_number() over (
            partition by round_trip.start_id
            order by md5(round_trip.names::text), round_trip.names
        ) as turn
    from round_trip
    where
        greatest(round_trip.metres, round_trip.other_metres)
        between 1.03 * least(round_trip.metres, round_trip.other_metres)
        and 2 * least(round_trip.metres, round_trip.other_metres)
),

keyed as (
    select
        ranked.names,
        array_agg(called.osm_key order by told.number) as osm_keys
    from ranked
    cross join lateral unnest(ranked.names) with ordinality as told (name, number)
    inner join called on told.name = called.name
    where ranked.turn <= 4
    group by ranked.names
)

select
    keyed.osm_keys as value,
    array_to_string(keyed.osm_keys, ',') as bind,
    regexp_replace(
        'from where ' || keyed.names[cardinality(keyed.names)] || ' meets ' || keyed.names[1]
        || ' to where ' || keyed.names[cardinality(keyed.names) / 2]
        || ' meets ' || keyed.names[cardinality(keyed.names) / 2 + 1],
        '\s+', ' ', 'g'
    ) as label,
    array[
        keyed.names[cardinality(keyed.names)],
        keyed.names[1],
        keyed.names[cardinality(keyed.names) / 2],
        keyed.names[cardinality(keyed.names) / 2 + 1]
    ] as names
from keyed
order by value
