-- A place to start from, one to go to, and four of which one lies between them in a straight line and three lie aside.
-- Places as in place.sql of one cell of a grid: each place with the five, and the fifteen, that follow it when they are
-- ordered by a hash. Cells of 0.03 degrees suit walks, and those of 0.12 degrees suit rides. Only the router tells whether
-- the way leads by the place between.
with place as (
    select
        poi.osm_key,
        regexp_replace(btrim(poi.name), '\s+', ' ', 'g') as name,
        poi.class,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat
    from poi
    where
        btrim(poi.name) <> ''
        and poi.name !~ '[,;→]'
        and not poi.repaired
        and poi.class not in (
            'shop', 'office', 'craft', 'healthcare', 'tourism', 'historic', 'amenity', 'leisure', 'railway',
            'attraction', 'company', 'building', 'yes', 'other', 'nature_reserve', 'parking'
        )
        and (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) = 1
),

chain as (
    select
        array_agg(place.osm_key) over following as osm_keys,
        array_agg(place.name) over following as names,
        array_agg(place.class) over following as kinds,
        array_agg(place.lon) over following as lons,
        array_agg(place.lat) over following as lats
    from place
    cross join (values (0.03), (0.12)) as cell (degrees)
    window
        following as (
            partition by cell.degrees, floor(place.lon / cell.degrees), floor(place.lat / cell.degrees)
            order by md5(place.osm_key), place.osm_key
            rows between current row and 15 following
        )
),

trip as (
    select
        chain.*,
        finish.number as finish,
        111195 * sqrt(
            power((chain.lons[1] - chain.lons[finish.number]) * cosd(chain.lats[1]), 2)
            + power(chain.lats[1] - chain.lats[finish.number], 2)
        ) as apart
    from chain
    cross join generate_series(2, 6) as finish (number)
    where cardinality(chain.osm_keys) = 16
)

select distinct
    array[trip.osm_keys[1], trip.osm_keys[trip.finish]] || four.osm_keys as value,
    array_to_string(array[trip.osm_keys[1], trip.osm_keys[trip.finish]] || four.osm_keys, ',') as bind,
    array[trip.names[1], trip.names[trip.finish]] as names,
    array[trip.kinds[1], trip.kinds[trip.finish]] as kinds,
    array[trip.lons[1], trip.lons[trip.finish]] || four.lons as lons,
    array[trip.lats[1], trip.lats[trip.finish]] || four.lats as lats
from trip
cross join lateral (
    -- How much longer it is from end to end by way of each of the places, in straight lines and metres.
    with other as (
        select
            place.number,
            place.osm_key,
            place.lon,
            place.lat,
            111195 * (
                sqrt(power((trip.lons[1] - place.lon) * cosd(place.lat), 2) + power(trip.lats[1] - place.lat, 2))
                + sqrt(
                    power((trip.lons[trip.finish] - place.lon) * cosd(place.lat), 2)
                    + power(trip.lats[trip.finish] - place.lat, 2)
                )
            ) - trip.apart as longer
        from unnest(trip.osm_keys, trip.lons, trip.lats) with ordinality as place (osm_key, lon, lat, number)
        where place.number not in (1, trip.finish)
    ),

    between_ends as (
        select other.*
        from other
        where other.longer <= 0.06 * trip.apart
        order by other.longer, other.number
        limit 1
    ),

    aside as (
        select other.*
        from other
        where other.longer >= 0.5 * trip.apart
        order by other.number
        limit 3
    ),

    offered as (
        select between_ends.*
        from between_ends
        union all
        select aside.*
        from aside
    )

    -- In an order that does not tell which one lies between.
    select
        array_agg(offered.osm_key order by md5(offered.osm_key), offered.osm_key) as osm_keys,
        array_agg(offered.lon order by md5(offered.osm_key), offered.osm_key) as lons,
        array_agg(offered.lat order by md5(offered.osm_key), offered.osm_key) as lats
    from offered
    where exists (select 1 from between_ends)
    having count(*) = 4
) as four
where trip.apart >= 300
order by value
