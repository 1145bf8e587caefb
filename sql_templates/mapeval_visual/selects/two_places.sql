-- Two places whose names are written in the picture: metres between them, and the direction of the straight line.
select
    row_number() over (order by origin.osm_key) as place,
    st_distance(origin.geog, destination.geog) as distance,
    degrees(st_azimuth(origin.geog, destination.geog)) as azimuth
from poi as origin
cross join poi as destination
where
    origin.osm_key = :origin
    and destination.osm_key = :destination
    and array[origin.osm_key, destination.osm_key] <@ string_to_array(:labelled, ',')
order by place
