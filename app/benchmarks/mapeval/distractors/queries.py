"""What the strategies read of the map that the connection's search path names."""

PLACES_OF_CLASS = """
select
    poi.osm_key,
    poi.name,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat,
    (
        select count(*)
        from place_name
        where
            place_name.form = replace(
                lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\\s+', ' ', 'g'))), 'ß', 'ss'
            )
    ) as bearers
from poi_class
inner join poi on poi_class.osm_key = poi.osm_key
where poi_class.class = %(category)s
order by poi.osm_key
"""
"""The places of a class, and how many objects of the map have the name of each."""
