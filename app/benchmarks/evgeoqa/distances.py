"""How far EVGeoQA's places are apart: metres along the WGS84 geodesic (Karney, 2013), exact to nanometres."""

from pyproj import Geod

_GEOD = Geod(ellps="WGS84")


def geodesic_m(lon: float, lat: float, other_lon: float, other_lat: float) -> float:
    """Metres between two points in degrees, in a straight line over the ellipsoid."""
    return float(_GEOD.inv(lon, lat, other_lon, other_lat)[2])
