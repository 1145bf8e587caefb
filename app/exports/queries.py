"""Statements that read where questions look. Values by binds."""

FOOTPRINTS = """
select
    question_id,
    st_asbinary(st_forcepolygonccw(area)) as area
from trigpoint.footprint
where version_id = %(version_id)s
"""
"""Outer rings run counter-clockwise, as RFC 7946 and GeoParquet want them."""

POINTS = """
select
    osm_key,
    st_asbinary(geom) as point
from poi
where osm_key = any(%(osm_keys)s)
"""
"""Where places of the map that the search path names are."""
