/*
id: Recommendation_On_Walk
version: 2
title: which of five places suits somebody best who walks along a street
answer_type: option
scorer: option
dimension: recommendation
parameters:
  street: {type: object, layer: road, pick: walk}
  wish: {type: form, pick: wish}
  moment: {type: form, pick: moment}
  reach: {type: metres, pick: detour}
derive: recommended_clearly
distractors: {strategy: other_candidates, layer: poi}
phrasings: recommendation_on_walk
margins: {metres: 10, ratio: 0.02, edge_metres: 5, edge_ratio: 0.01, minutes: 15}
requires: [road, poi]
search: none
*/
-- Where somebody is, and five of the twenty nearest named places to eat or drink whose opening hours are days with
-- times, drawn by hash: three that have what is wished for, and two that do not.
with start as (
    select
        road.osm_key,
        road.name,
        road.geom,
        road.geog
    from road
    where road.osm_key = :street
),

near as (
    select
        found.*,
        row_number() over (
            partition by coalesce(found.has_wish, false)
            order by md5(start.osm_key || found.osm_key), found.osm_key
        ) as turn
    from start
    cross join lateral (
        select
            poi.osm_key,
            poi.name,
            poi.class,
            poi.tags,
            poi.geom,
            st_distance(poi.geog, start.geog) as apart,
            case
                when :wish like 'cuisine %'
                    then substr(:wish, 9) = any(string_to_array(poi.tags ->> 'cuisine', ';'))
                else poi.tags ->> :wish in ('yes', 'only', 'wlan')
            end as has_wish
        from poi
        where
            poi.class in ('restaurant', 'cafe', 'fast_food', 'bar', 'pub', 'biergarten', 'ice_cream', 'bakery', 'food_court')
            and not poi.repaired
            and btrim(poi.name) <> ''
            and poi.osm_key <> start.osm_key
            and st_dwithin(poi.geog, start.geog, 5000)
            and poi.tags ->> 'opening_hours' ~ (
                '^(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?(,(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?)*'
                ' \d\d:\d\d-\d\d:\d\d(, ?\d\d:\d\d-\d\d:\d\d)*'
                '(; ?(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?(,(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?)*'
                ' \d\d:\d\d-\d\d:\d\d(, ?\d\d:\d\d-\d\d:\d\d)*)*$'
            )
            and not exists (
                select 1
                from regexp_matches(poi.tags ->> 'opening_hours', '(\d\d:\d\d)-(\d\d:\d\d)', 'g') as span (ends)
                where span.ends[1] >= span.ends[2] or span.ends[2] > '24:00'
            )
        order by apart, poi.osm_key
        limit 20
    ) as found
),

told as (
    select
        'start' as role,
        start.osm_key,
        start.name,
        '' as class,
        '{}'::jsonb as tags,
        start.geom
    from start
    union all
    select
        'candidate' as role,
        near.osm_key,
        near.name,
        near.class,
        near.tags,
        near.geom
    from near
    where near.turn <= case when near.has_wish then 3 else 2 end
)

select
    row_number() over (order by told.role desc, told.osm_key) as place,
    told.role,
    told.osm_key,
    told.name,
    told.class,
    encode(st_asbinary(told.geom), 'hex') as wkb,
    told.tags ->> 'opening_hours' as opening_hours,
    told.tags ->> 'cuisine' as cuisine,
    told.tags ->> 'wheelchair' as wheelchair,
    told.tags ->> 'outdoor_seating' as outdoor_seating,
    told.tags ->> 'takeaway' as takeaway,
    told.tags ->> 'diet:vegetarian' as vegetarian,
    told.tags ->> 'internet_access' as internet_access,
    :wish as wish,
    :moment as moment,
    :reach as reach
from told
order by place
