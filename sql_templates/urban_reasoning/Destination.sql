/*
id: Destination
version: 2
title: which of five places somebody is bound for whose way so far is told
answer_type: option
scorer: option
dimension: prediction
parameters:
  places: {type: objects, layer: poi, pick: far_place, choose: 2}
derive: printed_destination
distractors: {strategy: other_candidates, layer: poi}
phrasings: destination
margins: {least: 500, most: 30000}
requires: [poi, other_place]
search: none
*/
-- The places on a way that somebody takes towards the destination, and the candidates beside it: for each of some points
-- (on the straight line, a little to its left and right; or around the end of the way) the nearest place whose name tells
-- it apart.
with ends as (
    select
        origin.osm_key as start_key,
        bound.osm_key as destination_key,
        origin.geog,
        st_distance(origin.geog, bound.geog) as length,
        st_azimuth(origin.geog, bound.geog) as heading
    from poi as origin
    cross join poi as bound
    where
        origin.osm_key = split_part(:places, ',', 1)
        and bound.osm_key = split_part(:places, ',', 2)
        -- what is surely out of range is not looked for
        and st_distance(origin.geog, bound.geog) between 480 and 31000
),

wanted as (
    select
        step.role,
        step.number,
        st_project(ends.geog, step.share * ends.length, ends.heading + radians(step.aside)) as geog
    from ends
    cross join (
        values
        ('way', 1, 0.12, 6),
        ('way', 2, 0.24, -6),
        ('way', 3, 0.36, 5),
        ('way', 4, 0.48, -5),
        ('way', 5, 0.60, 3),
        ('way', 6, 0.72, 0)
    ) as step (role, number, share, aside)
    union all
    select
        'candidate' as role,
        turn.number,
        st_project(
            st_project(ends.geog, 0.72 * ends.length, ends.heading),
            turn.share * ends.length,
            ends.heading + radians(turn.aside)
        ) as geog
    from ends
    cross join (
        values
        (1, 0.25, 90),
        (2, 0.30, 150),
        (3, 0.35, 210),
        (4, 0.25, 270)
    ) as turn (number, share, aside)
),

told as (
    select
        wanted.role,
        wanted.number,
        near.osm_key
    from wanted
    cross join lateral (
        select close_by.osm_key
        from (
            select
                poi.osm_key,
                poi.name,
                poi.repaired,
                poi.geog
            from poi
            order by poi.geog <-> wanted.geog
            limit 40
        ) as close_by
        where
            btrim(close_by.name) <> ''
            and not close_by.repaired
            and (
                select count(*)
                from place_name
                where
                    place_name.form = replace(
                        lower(btrim(regexp_replace(normalize(close_by.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss'
                    )
            ) = 1
        order by st_distance(close_by.geog, wanted.geog), close_by.osm_key
        limit 1
    ) as near
    union all
    select
        'way' as role,
        0 as number,
        ends.start_key as osm_key
    from ends
    union all
    select
        'candidate' as role,
        0 as number,
        ends.destination_key as osm_key
    from ends
)

select
    row_number() over (order by told.role, told.number) as place,
    told.role,
    poi.osm_key,
    poi.name,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from told
inner join poi on told.osm_key = poi.osm_key
order by place
