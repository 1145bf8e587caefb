-- Where two places lie, and how their coordinates are printed.
select
    row_number() over (order by one.osm_key) as place,
    one.name as origin_name,
    st_x(one.geom) as origin_lon,
    st_y(one.geom) as origin_lat,
    other.name as destination_name,
    st_x(other.geom) as destination_lon,
    st_y(other.geom) as destination_lat,
    :notation as notation
from poi as one
cross join poi as other
where
    one.osm_key = :origin
    and other.osm_key = :destination
order by place
