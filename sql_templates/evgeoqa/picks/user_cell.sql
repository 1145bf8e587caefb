-- Cells of about 250 m in which users are: where there are places, addresses, streets of homes or main roads; within
-- 5 km of the box around all destinations, wholly inside the outline, and without any area of water. `kind`: `road` where a main road
-- leads through, else the quarter by density: z of the number of places, of addresses and of points of residential streets,
-- which stand for what a map without buildings does not tell. Road and top quarter have weight 2, then 1, 0 and -1: a
-- softmax over the five says how many users are in each, and all cells of one are alike. That is the sampling `tiers`. The
-- sampling `kmeans` makes five clusters of the same cells by the three scores, and weights them 2 to -2 by their mean density.
with box as (
    select
        st_setsrid(st_expand(st_extent(destination.geom)::geometry, 0.045), 4326) as geom,
        0.00225 as high,
        0.00225 / cos(radians(round((st_ymin(st_extent(destination.geom)) + st_ymax(st_extent(destination.geom))) / 2))) as wide
    from destination
),

mark as (
    select
        'poi' as what,
        poi.geom
    from poi
    union all
    select
        'address' as what,
        address.geom
    from address
    union all
    select
        case when road.class in ('residential', 'living_street') then 'home' else 'main' end as what,
        step.geom
    from road
    cross join lateral st_dumppoints(st_segmentize(road.geom, 0.0005)) as step
    where
        road.class in ('residential', 'living_street', 'primary', 'secondary', 'tertiary')
        and not road.tunnel
),

counted as (
    select
        floor(st_x(mark.geom) / box.wide)::int as across,
        floor(st_y(mark.geom) / box.high)::int as up,
        count(*) filter (where mark.what = 'poi') as pois,
        count(*) filter (where mark.what = 'address') as addresses,
        count(*) filter (where mark.what = 'home') as homes,
        bool_or(mark.what = 'main') as main
    from mark
    cross join box
    where mark.geom && box.geom
    group by across, up
),

cell as (
    select
        counted.*,
        counted.across * box.wide as west,
        counted.up * box.high as south,
        (counted.across + 1) * box.wide as east,
        (counted.up + 1) * box.high as north
    from counted
    cross join box
),

dry as materialized (
    select cell.*
    from cell
    where
        (
            :outline::text is null
            or st_covers(
                st_setsrid(:outline::geometry, 4326),
                st_makeenvelope(cell.west, cell.south, cell.east, cell.north, 4326)
            )
        )
        and not exists (
            select
            from water
            where
                st_dimension(water.geom) = 2
                and st_intersects(
                    water.geom, st_makeenvelope(cell.west, cell.south, cell.east, cell.north, 4326)
                )
        )
),

scored as (
    select
        dry.*,
        (dry.pois - avg(dry.pois) over ()) / nullif(stddev_pop(dry.pois) over (), 0) as poi_score,
        (dry.addresses - avg(dry.addresses) over ()) / nullif(stddev_pop(dry.addresses) over (), 0) as address_score,
        (dry.homes - avg(dry.homes) over ()) / nullif(stddev_pop(dry.homes) over (), 0) as home_score
    from dry
),

ranked as (
    select
        scored.*,
        case
            when scored.main then 'road'
            else (array['low', 'mid', 'high', 'top'])[
                ntile(4) over (
                    partition by scored.main
                    order by
                        round(
                            (
                                coalesce(scored.poi_score, 0) + coalesce(scored.address_score, 0)
                                + coalesce(scored.home_score, 0)
                            )::numeric, 9
                        ),
                        scored.across,
                        scored.up
                )
            ]
        end as kind
    from scored
),

clustered as (
    select
        scored.*,
        st_clusterkmeans(
            st_makepoint(
                round(coalesce(scored.poi_score, 0)::numeric, 9),
                round(coalesce(scored.address_score, 0)::numeric, 9),
                round(coalesce(scored.home_score, 0)::numeric, 9)
            ),
            5
        ) over (order by scored.across, scored.up) as cluster
    from scored
),

cluster as (
    select
        clustered.cluster,
        row_number() over (
            order by
                round(
                    avg(
                        coalesce(clustered.poi_score, 0) + coalesce(clustered.address_score, 0)
                        + coalesce(clustered.home_score, 0)
                    )::numeric, 9
                ) desc,
                clustered.cluster
        ) as place,
        count(*) as cells
    from clustered
    group by clustered.cluster
),

tier as (
    select
        ranked.kind,
        exp(tiers.weight) / sum(exp(tiers.weight)) over () / count(*) as weight
    from ranked
    inner join (values ('road', 2), ('top', 2), ('high', 1), ('mid', 0), ('low', -1)) as tiers (kind, weight)
        on ranked.kind = tiers.kind
    group by ranked.kind, tiers.weight
)

select
    ranked.across || ' ' || ranked.up as value,
    'tiers' as sampling,
    ranked.kind,
    tier.weight::double precision as weight,
    ranked.west::double precision as west,
    ranked.south::double precision as south,
    ranked.east::double precision as east,
    ranked.north::double precision as north
from ranked
inner join tier on ranked.kind = tier.kind
union all
select
    clustered.across || ' ' || clustered.up as value,
    'kmeans' as sampling,
    'cluster_' || cluster.place as kind,
    (exp(3 - cluster.place) / sum(exp(3 - cluster.place) / cluster.cells) over () / cluster.cells)::double precision as weight,
    clustered.west::double precision as west,
    clustered.south::double precision as south,
    clustered.east::double precision as east,
    clustered.north::double precision as north
from clustered
inner join cluster on clustered.cluster = cluster.cluster
order by sampling, value
