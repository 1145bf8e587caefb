-- Pairs of areas with other names, in both orders: those that have corners in common, those of which the one covers part
-- of the other, and those that lie up to 0.004 degrees (some 400 m) apart. About as many of each kind, drawn by hash.
with area as (
    select
        aoi.osm_key,
        btrim(aoi.name) as name,
        aoi.geom
    from aoi
    where
        not aoi.repaired
        and btrim(aoi.name) <> ''
        and st_numgeometries(aoi.geom) = 1
),

near as (
    select
        one.osm_key,
        other.osm_key as other_key,
        one.name,
        other.name as other_name,
        case
            when not st_intersects(one.geom, other.geom) then 'apart'
            when
                st_area(st_intersection(one.geom, other.geom)) >= 0.05 * least(st_area(one.geom), st_area(other.geom))
                then 'overlapping'
            when st_npoints(st_intersection(st_points(one.geom), st_points(other.geom))) >= 2 then 'adjacent'
        end as kind
    from area as one
    inner join area as other
        on
            one.osm_key < other.osm_key
            and one.name <> other.name
            and st_dwithin(one.geom, other.geom, 0.004)
),

ranked as (
    select
        near.*,
        row_number() over (
            partition by near.kind order by md5(near.osm_key || near.other_key), near.osm_key, near.other_key
        ) as turn,
        count(*) filter (where near.kind = 'adjacent') over () as adjacent
    from near
    where near.kind is not null
)

select
    case turned.round when 1 then array[ranked.osm_key, ranked.other_key] else array[ranked.other_key, ranked.osm_key] end as value,
    case turned.round
        when 1 then ranked.osm_key || ',' || ranked.other_key
        else ranked.other_key || ',' || ranked.osm_key
    end as bind,
    regexp_replace(
        case turned.round
            when 1 then ranked.name || ' and ' || ranked.other_name
            else ranked.other_name || ' and ' || ranked.name
        end,
        '\s+', ' ', 'g'
    ) as label,
    array[ranked.name, ranked.other_name] as names
from ranked
cross join (values (1), (2)) as turned (round)
where ranked.turn <= greatest(ranked.adjacent, 1)
order by value
