-- Sets of three to five places that one named area covers, up to a dozen an area, drawn by hash; the places have names
-- that no other place has, and that are not the area's. The option is the smallest area that covers them all, where
-- nothing else on the map has its name (`shared_name`), but for roads.
with placed as (
    select
        aoi.osm_key as aoi_key,
        aoi.name as aoi_name,
        aoi.area_m2 as area,
        named.osm_key,
        named.name,
        named.form <> replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as apt
    from (
        select
            poi.*,
            spelt.form,
            count(*) over (partition by spelt.form) as namesakes
        from poi
        cross join lateral (
            select replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
        ) as spelt
        where poi.name is not null
    ) as named
    inner join aoi on st_covers(aoi.geom, named.geom)
    where
        named.namesakes = 1
        and not named.repaired
),

turned as (
    select
        placed.aoi_key,
        placed.osm_key,
        placed.name,
        draw.turn,
        3 + ('x' || substr(md5(placed.aoi_key || draw.turn), 1, 2))::bit(8)::integer % 3 as size,
        row_number() over (
            partition by placed.aoi_key, draw.turn
            order by md5(placed.osm_key || draw.turn), placed.osm_key
        ) as place
    from placed
    cross join generate_series(1, 12) as draw (turn)
    where placed.apt
),

chosen as (
    select
        array_agg(turned.osm_key order by turned.osm_key) as keys,
        array_agg(turned.name order by turned.osm_key) as names
    from turned
    where turned.place <= turned.size
    group by turned.aoi_key, turned.turn
    having count(*) >= 3
),

drawn as (
    select
        chosen.keys,
        chosen.names
    from chosen
    group by chosen.keys, chosen.names
)

select
    drawn.keys as value,
    array_to_string(drawn.keys, ',') as bind,
    array_to_string(trim_array(drawn.names, 1), ', ') || ' and ' || drawn.names[cardinality(drawn.names)] as label,
    '' as name,
    drawn.names as names,
    case when smallest.namesakes = 1 then smallest.aoi_name end as option,
    smallest.namesakes > 1 as shared_name,
    smallest.aoi_key as option_key
from drawn
cross join lateral (
    select
        placed.aoi_key,
        placed.aoi_name,
        (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(placed.aoi_name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) as namesakes
    from placed
    where placed.osm_key = any(drawn.keys)
    group by placed.aoi_key, placed.aoi_name, placed.area
    having count(*) = cardinality(drawn.keys)
    order by placed.area, placed.aoi_key
    limit 1
) as smallest
order by drawn.keys
