-- Places that a question can measure from, in the order of their ids: of a class people travel to, as points or as areas.
-- Texts name each by name, class, street, city, and state or country. So its name is one name, not "A; B"; something of
-- where it is is known, by its own address or by a region around it; and no other place has its name, or only such as
-- are known to be in other cities. A place's cities are its own tag's and all municipalities around it.
with called as (
    select
        poi.osm_key,
        poi.name,
        lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))) as form,
        poi.class in (
            'aquarium', 'attraction', 'viewpoint', 'art_gallery', 'theme_park', 'museum', 'gallery', 'zoo', 'hotel',
            'university', 'park', 'nature_reserve', 'garden', 'stadium', 'hospital'
        ) as is_anchor
    from poi
    where poi.name is not null
),

known as (
    select
        called.*,
        count(*) over (partition by called.form) as bearers,
        bool_or(called.is_anchor) over (partition by called.form) as is_wanted
    from called
),

wanted as materialized (
    select known.*
    from known
    where
        known.is_anchor
        or (known.is_wanted and known.bearers > 1)
),

around as (
    select
        wanted.osm_key,
        (
            array_agg(region.name order by region.admin_level desc nulls last, region.osm_key)
            filter (where region.class in ('city', 'town', 'village', 'municipality'))
        )[1] as city,
        min(region.name) filter (where region.class = 'state') as state,
        min(
            coalesce(
                region.tags ->> 'ISO3166-1:alpha2',
                region.tags ->> 'ISO3166-1',
                substr(region.tags ->> 'ISO3166-2', 1, 2),
                region.name
            )
        ) filter (where region.admin_level = 2) as country
    from wanted
    inner join poi_region on wanted.osm_key = poi_region.osm_key
    inner join region on poi_region.region_key = region.osm_key
    where region.name is not null
    group by wanted.osm_key
),

city_of as (
    select
        wanted.osm_key,
        wanted.form,
        lower(btrim(regexp_replace(normalize(poi.city, nfkc), '\s+', ' ', 'g'))) as city
    from wanted
    inner join poi on wanted.osm_key = poi.osm_key
    where
        wanted.bearers > 1
        and poi.city is not null
    union
    select
        wanted.osm_key,
        wanted.form,
        lower(btrim(regexp_replace(normalize(region.name, nfkc), '\s+', ' ', 'g'))) as city
    from wanted
    inner join poi_region on wanted.osm_key = poi_region.osm_key
    inner join region on poi_region.region_key = region.osm_key
    where
        wanted.bearers > 1
        and region.name is not null
        and region.class in ('city', 'town', 'village', 'municipality')
),

shared as (
    -- of places with a city: whether another of the name is in one of their cities, and how many of the name have one
    select
        counted.osm_key,
        max(counted.bearers) as bearers,
        max(counted.placed) as placed
    from (
        select
            city_of.osm_key,
            count(*) over (partition by city_of.form, city_of.city) as bearers,
            dense_rank() over (partition by city_of.form order by city_of.osm_key)
            + dense_rank() over (partition by city_of.form order by city_of.osm_key desc) - 1 as placed
        from city_of
    ) as counted
    group by counted.osm_key
),

map as (
    -- the country of all places that name one, where it is one
    select case when min(upper(poi.country)) = max(upper(poi.country)) then min(upper(poi.country)) end as country
    from poi
)

select
    poi.osm_key as value,
    poi.name as name,
    poi.class as class,
    poi.street as street,
    poi.housenumber as housenumber,
    coalesce(poi.city, around.city) as city,
    coalesce(poi.state, around.state) as state,
    coalesce(poi.country, around.country, map.country) as country,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from wanted
inner join poi on wanted.osm_key = poi.osm_key
left join around on wanted.osm_key = around.osm_key
left join shared on wanted.osm_key = shared.osm_key
cross join map
where
    wanted.is_anchor
    and not poi.repaired
    and poi.name not like '%;%'
    and (
        around.osm_key is not null
        or coalesce(poi.street, poi.city, poi.state, poi.country) is not null
    )
    and (
        wanted.bearers = 1
        or (shared.bearers = 1 and shared.placed = wanted.bearers)
    )
order by poi.osm_key
