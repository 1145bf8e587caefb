-- Distances, in metres, between pairs of places that are asked about: as in context_poi, and no farther apart than is asked.
-- Up to five thousand of some two hundred thousand pairs, which depend on the places alone.
with named as (
    select
        poi.osm_key,
        poi.geog,
        poi.repaired,
        poi.street,
        count(*) over (
            partition by lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g')))
        ) as namesakes
    from poi
    where poi.name is not null
),
numbered as materialized (
    select
        named.geog,
        row_number() over (order by md5(named.osm_key)) - 1 as number,
        count(*) over () as total
    from named
    where
        named.namesakes = 1
        and not named.repaired
        and named.street is not null
),
pair as (
    select
        one.number,
        step.number as step,
        one.geog,
        lead(one.geog, step.number::integer) over (partition by step.number order by one.number) as other
    from numbered as one
    cross join lateral
        generate_series(1, least(one.total - 1, greatest(1, 200000 / one.total))) as step (number)
)
select
    row_number() over (order by pair.step, pair.number) as place,
    apart.value
from pair
cross join lateral (
    select st_distance(pair.geog, pair.other) as value
) as apart
where apart.value between :least and :most
order by place
limit 5000
