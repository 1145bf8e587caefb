-- A place to start from, and two or three places to go to one after the other.
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
            rows between current row and 3 following
        )
),

sized as (
    select
        chain.osm_keys[1:size.places] as osm_keys,
        chain.names[1:size.places] as names,
        chain.kinds[1:size.places] as kinds,
        chain.lons[1:size.places] as lons,
        chain.lats[1:size.places] as lats
    from chain
    cross join (values (3), (4)) as size (places)
    where cardinality(chain.osm_keys) = 4
)

select distinct
    sized.osm_keys as value,
    array_to_string(sized.osm_keys, ',') as bind,
    sized.names as names,
    sized.kinds as kinds,
    sized.lons as lons,
    sized.lats as lats
from sized
order by sized.osm_keys
