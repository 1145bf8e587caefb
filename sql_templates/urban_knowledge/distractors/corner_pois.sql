-- Named places 500 to 1,000 m away, whose names nothing else on the map has, by the quarter of the horizon that they lie in (`pool_group`): north-east,
-- south-east, south-west, north-west. A dozen a quarter, in an order that depends on subject and place alone.
select
    row_number() over (order by ranked.pool_group, ranked.turn) as place,
    ranked.pool_group,
    ranked.osm_key,
    ranked.label,
    ranked.lon,
    ranked.lat
from (
    select
        quarter.pool_group,
        poi.osm_key,
        poi.name as label,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        row_number() over (
            partition by quarter.pool_group order by md5(subject.osm_key || poi.osm_key), poi.osm_key
        ) as turn
    from poi as subject
    inner join poi
        on
            poi.name is not null
            and not poi.repaired
            and (
                select count(*)
                from place_name
                where place_name.form = replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
            ) = 1
            and st_dwithin(subject.geog, poi.geog, :outer_metres)
            and st_distance(subject.geog, poi.geog) >= :inner_metres
    cross join lateral (
        select floor(degrees(st_azimuth(subject.geog, poi.geog)) / 90)::integer as pool_group
    ) as quarter
    where subject.osm_key = :poi
) as ranked
where ranked.turn <= 12
order by place
