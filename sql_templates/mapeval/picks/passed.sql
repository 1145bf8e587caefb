-- A place to start from, one to go to, and four of which one lies between them in a straight line and three lie aside.
-- Places as in place.sql beside larger roads, of one cell of a grid, in a circle that a hash orders: they are parted into
-- fours, and ends are of the 80 places that follow a four. Cells of 0.03 degrees suit walks, and those of 0.12 degrees suit
-- rides. Each of the four lies between some ends, and which one is to be the answer is drawn. Only the router tells whether
-- a way leads by the place between: `trips` are values like the row's own for each of the four, and `betweens` says for
-- which.
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
        and exists (
            select 1
            from road_edge
            where
                road_edge.class in ('primary', 'secondary', 'tertiary', 'trunk')
                and st_dwithin(road_edge.geom, poi.geom, 0.0006)
        )
),

chain as (
    select
        array_agg(place.osm_key order by hash.digits, place.osm_key) as osm_keys,
        array_agg(place.name order by hash.digits, place.osm_key) as names,
        array_agg(place.class order by hash.digits, place.osm_key) as kinds,
        array_agg(place.lon order by hash.digits, place.osm_key) as lons,
        array_agg(place.lat order by hash.digits, place.osm_key) as lats,
        array_agg(hash.digits order by hash.digits, place.osm_key) as digits,
        cosd(min(place.lat)) as narrower,
        cell.aside
    from place
    cross join (values (0.03, 300), (0.12, 1500)) as cell (degrees, aside)
    cross join generate_series(1, 4) as round (number)
    cross join lateral md5(concat_ws(',', round.number, cell.degrees, place.osm_key)) as hash (digits)
    group by round.number, cell.degrees, cell.aside, floor(place.lon / cell.degrees), floor(place.lat / cell.degrees)
    having count(*) >= 12
),

four as (
    select
        chain.*,
        first.number as first,
        chain.osm_keys[first.number:first.number + 3] as four,
        first.number + ('x' || right(chain.digits[first.number], 7))::bit(28)::int % 4 as key
    from chain
    cross join lateral generate_series(1, cardinality(chain.osm_keys) - 3, 4) as first (number)
)

select
    array[four.osm_keys[trip.start], four.osm_keys[trip.finish]] || four.four as value,
    array_to_string(array[four.osm_keys[trip.start], four.osm_keys[trip.finish]] || four.four, ',') as bind,
    array[four.names[trip.start], four.names[trip.finish]] as names,
    array[four.kinds[trip.start], four.kinds[trip.finish]] as kinds,
    trip.trips,
    trip.betweens
from four
cross join lateral (
    -- How far each end is from each of the four, in straight lines and metres.
    with stop as materialized (
        select
            step.number,
            four.lons[step.number] as lon,
            four.lats[step.number] as lat,
            array(
                select
                    111195 * sqrt(
                        power((four.lons[step.number] - four.lons[place.number]) * four.narrower, 2)
                        + power(four.lats[step.number] - four.lats[place.number], 2)
                    )
                from generate_series(four.first, four.first + 3) as place (number)
                order by place.number
            ) as apart
        from (
            select 1 + (four.first + 3 + behind.places) % cardinality(four.osm_keys) as number
            from generate_series(0, least(80, cardinality(four.osm_keys) - 4) - 1) as behind (places)
        ) as step
    ),

    trip as (
        select
            start.number as start,
            finish.number as finish,
            start.apart[1] + finish.apart[1] as by_1,
            start.apart[2] + finish.apart[2] as by_2,
            start.apart[3] + finish.apart[3] as by_3,
            start.apart[4] + finish.apart[4] as by_4,
            111195 * sqrt(
                power((start.lon - finish.lon) * four.narrower, 2) + power(start.lat - finish.lat, 2)
            ) as direct
        from stop as start
        inner join stop as finish on start.number < finish.number
    ),

    -- The trips of which one of the four lies between the ends and the others lie aside.
    clear as (
        select
            trip.start,
            trip.finish,
            least(trip.by_1, trip.by_2, trip.by_3, trip.by_4) - trip.direct as longer,
            four.first + array_position(
                array[trip.by_1, trip.by_2, trip.by_3, trip.by_4],
                least(trip.by_1, trip.by_2, trip.by_3, trip.by_4)
            ) - 1 as key
        from trip
        where
            trip.direct >= 300
            and least(trip.by_1, trip.by_2, trip.by_3, trip.by_4) <= 1.06 * trip.direct
            and (trip.by_1 < trip.direct + four.aside)::int + (trip.by_2 < trip.direct + four.aside)::int
            + (trip.by_3 < trip.direct + four.aside)::int + (trip.by_4 < trip.direct + four.aside)::int = 1
    ),

    drawn as (
        select
            clear.*,
            array_to_string(
                array[four.osm_keys[clear.start], four.osm_keys[clear.finish]] || four.four, ','
            ) as bind,
            row_number() over (
                partition by clear.key
                order by clear.longer, clear.start, clear.finish
            ) as turn
        from clear
    ),

    offered as (
        select
            array_agg(drawn.bind order by drawn.key, drawn.turn) as trips,
            array_agg(four.osm_keys[drawn.key] order by drawn.key, drawn.turn) as betweens
        from drawn
        where drawn.turn <= 5
        having count(distinct drawn.key) = 4
    )

    select
        drawn.start,
        drawn.finish,
        offered.trips,
        offered.betweens
    from drawn
    cross join offered
    where drawn.turn <= 5 and drawn.key = four.key
) as trip
order by value
