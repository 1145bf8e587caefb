-- Frames of 800 x 600 pixels around the middles of cells, half a frame wide, in which at least four places have a name.
select
    format(
        '%s,%s,%s,800,600',
        to_char(cell.lon, 'FM990.0000000'),
        to_char(cell.lat, 'FM990.0000000'),
        cell.zoom
    ) as value
from (
    select
        zoom,
        (floor(st_x(poi.geom) / size.degrees) + 0.5) * size.degrees as lon,
        (floor(st_y(poi.geom) / size.degrees) + 0.5) * size.degrees as lat,
        count(*) as places
    from poi
    cross join generate_series(14, 21) as zoom
    cross join lateral (select 512 / power(2, zoom) as degrees) as size
    where btrim(poi.name) <> ''
    group by zoom, lon, lat
) as cell
where cell.places >= 4
order by cell.zoom, cell.lon, cell.lat
