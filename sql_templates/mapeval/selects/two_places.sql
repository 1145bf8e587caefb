-- How far the destination is from the origin, and in which direction.
select
    row_number() over (order by one.osm_key) as place,
    one.name as origin_name,
    other.name as destination_name,
    st_distance(one.geog, other.geog) as distance,
    degrees(st_azimuth(one.geog, other.geog)) as azimuth
from poi as one
cross join poi as other
where
    one.osm_key = :origin
    and other.osm_key = :destination
order by place
