-- Two places, one to start from and one to go to.
-- Places as in place.sql of one cell of a grid, so that they are near to each other: each place with those that follow it
-- when they are ordered by a hash. Cells of 0.03 degrees suit walks, and those of 0.12 degrees suit rides.
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
            rows between current row and 1 following
        )
)

select distinct
    chain.osm_keys as value,
    array_to_string(chain.osm_keys, ',') as bind,
    chain.names as names,
    chain.kinds as kinds,
    chain.lons as lons,
    chain.lats as lats
from chain
where cardinality(chain.osm_keys) = 2
order by chain.osm_keys
