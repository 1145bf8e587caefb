"""The statements of GeoRover's tools, on the tables of the snapshot that is first in search_path. Values by binds.

Each look-up goes by an index on geography; distances are those on the spheroid.
"""

from sqlalchemy import text

_POINT = "cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)"
# Stations of a class within the radius, the nearest first; equally near ones by type (nodes first) and number.
STATIONS_AROUND = text(f"""
select
    destination.osm_key,
    destination.osm_keys,
    destination.name,
    st_distance(destination.geog, {_POINT}) as metres
from destination
where
    destination.class = :class
    and st_dwithin(destination.geog, {_POINT}, :radius)
order by metres, position(left(destination.osm_key, 1) in 'nwr'), cast(substr(destination.osm_key, 2) as bigint)
""")

POIS_AROUND = text(f"""
select
    poi.osm_key,
    st_distance(poi.geog, {_POINT}) as metres
from poi
where
    st_dwithin(poi.geog, {_POINT}, :radius)
    and poi.classes && cast(:classes as text[])
order by metres, poi.osm_key
""")
