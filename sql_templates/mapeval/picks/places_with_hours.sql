-- A place to start from, and four that one may go to, all with opening hours that are days with times and nothing else.
-- Places of one cell of a grid, so that they are near to each other: each place with those that follow it when they are
-- ordered by a hash.
with place as (
    select
        poi.osm_key,
        regexp_replace(btrim(poi.name), '\s+', ' ', 'g') as name,
        poi.class,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        poi.tags ->> 'opening_hours' as opening_hours
    from poi
    where
        btrim(poi.name) <> ''
        and poi.name !~ '[,;→]'
        and not poi.repaired
        and poi.tags ->> 'opening_hours' ~ (
            '^(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?(,(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?)*'
            ' \d\d:\d\d-\d\d:\d\d(, ?\d\d:\d\d-\d\d:\d\d)*'
            '(; ?(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?(,(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?)*'
            ' \d\d:\d\d-\d\d:\d\d(, ?\d\d:\d\d-\d\d:\d\d)*)*$'
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
        array_agg(place.lat) over following as lats,
        array_agg(place.opening_hours) over following as hours
    from place
    cross join (values (0.06), (0.24)) as cell (degrees)
    window
        following as (
            partition by cell.degrees, floor(place.lon / cell.degrees), floor(place.lat / cell.degrees)
            order by md5(place.osm_key), place.osm_key
            rows between current row and 4 following
        )
)

select distinct
    chain.osm_keys as value,
    array_to_string(chain.osm_keys, ',') as bind,
    chain.names[1:1] as names,
    chain.kinds[1:1] as kinds,
    chain.lons as lons,
    chain.lats as lats,
    chain.hours as hours
from chain
where cardinality(chain.osm_keys) = 5
order by chain.osm_keys
