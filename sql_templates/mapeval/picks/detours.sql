-- A place to start from, one to go to, and four that one may pass by. In straight lines each of the four would be the
-- best of them for some start and destination around, and which one is to be the answer is drawn: so a place in the
-- middle of its town is no more often the answer than one at its edge, and the four tell nothing. For each mode of travel
-- it is drawn anew, lest questions about the same four tell each other's answers: `modes` are those that a row is for.
-- Places as in place.sql of one cell of a grid, in a circle that a hash orders: they are parted into fours, and ends are of
-- the 24 that follow a four. Cells of 0.03 degrees suit walks, and those of 0.12 degrees suit rides. There are four rounds,
-- each with an order of its own.
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
        array_agg(place.osm_key order by hash.digits, place.osm_key) as osm_keys,
        array_agg(place.name order by hash.digits, place.osm_key) as names,
        array_agg(place.class order by hash.digits, place.osm_key) as kinds,
        array_agg(place.lon order by hash.digits, place.osm_key) as lons,
        array_agg(place.lat order by hash.digits, place.osm_key) as lats,
        array_agg(hash.digits order by hash.digits, place.osm_key) as digits,
        cosd(min(place.lat)) as narrower
    from place
    cross join (values (0.03), (0.12)) as cell (degrees)
    cross join generate_series(1, 4) as round (number)
    cross join lateral md5(concat_ws(',', round.number, cell.degrees, place.osm_key)) as hash (digits)
    group by round.number, cell.degrees, floor(place.lon / cell.degrees), floor(place.lat / cell.degrees)
    having count(*) >= 12
),

four as (
    select
        chain.*,
        first.number as first,
        chain.osm_keys[first.number:first.number + 3] as four
    from chain
    cross join lateral generate_series(1, cardinality(chain.osm_keys) - 3, 4) as first (number)
)

select
    array[four.osm_keys[trip.start], four.osm_keys[trip.finish]] || four.four as value,
    array_to_string(array[four.osm_keys[trip.start], four.osm_keys[trip.finish]] || four.four, ',') as bind,
    array[four.names[trip.start], four.names[trip.finish]] as names,
    array[four.kinds[trip.start], four.kinds[trip.finish]] as kinds,
    trip.modes
from four
cross join lateral (
    -- How far each end is from each of the four, in straight lines; any unit will do.
    with stop as materialized (
        select
            ends.number,
            array_agg(
                sqrt(
                    power((four.lons[ends.number] - four.lons[place.number]) * four.narrower, 2)
                    + power(four.lats[ends.number] - four.lats[place.number], 2)
                )
                order by place.number
            ) as apart
        from (
            select 1 + (four.first + 3 + step.number) % cardinality(four.osm_keys) as number
            from generate_series(0, least(24, cardinality(four.osm_keys) - 4) - 1) as step (number)
        ) as ends
        cross join generate_series(four.first, four.first + 3) as place (number)
        group by ends.number
    ),

    trip as (
        select
            start.number as start,
            finish.number as finish,
            way.lengths,
            least(way.lengths[1], way.lengths[2], way.lengths[3], way.lengths[4]) as shortest
        from stop as start
        inner join stop as finish on start.number < finish.number
        cross join lateral (
            select array[
                start.apart[1] + finish.apart[1],
                start.apart[2] + finish.apart[2],
                start.apart[3] + finish.apart[3],
                start.apart[4] + finish.apart[4]
            ] as lengths
        ) as way
    ),

    -- One trip for which each of the four is clearly the best.
    best as (
        select distinct on (key.number)
            key.number,
            trip.start,
            trip.finish
        from trip
        cross join lateral (
            select four.first - 1 + array_position(trip.lengths, trip.shortest) as number
        ) as key
        where
            (
                select count(*)
                from unnest(trip.lengths) as way (length)
                where way.length < 1.2 * trip.shortest
            ) = 1
        order by key.number, md5(four.osm_keys[trip.start] || four.osm_keys[trip.finish])
    ),

    fair as (
        select
            best.*,
            count(*) over () as answers
        from best
    ),

    drawn as (
        select
            four.first + ('x' || left(md5(mode.name || four.digits[four.first]), 7))::bit(28)::int % 4 as key,
            array_agg(mode.name order by mode.name) as modes
        from (values ('car'), ('bicycle'), ('foot')) as mode (name)
        group by key
    )

    select
        fair.start,
        fair.finish,
        drawn.modes
    from fair
    inner join drawn on fair.number = drawn.key
    where fair.answers = 4
) as trip
order by value
