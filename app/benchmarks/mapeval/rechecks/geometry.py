"""Distances and directions between places of a context, on WGS84. Pure.

Coordinates are printed with four decimals: each place may lie up to ROUNDING metres off.
"""

import math

from pyproj import Geod

from app.benchmarks.mapeval.rechecks.contexts import ListedPlace

GEOD = Geod(ellps="WGS84")
ROUNDING = 8.0
"""Metres: half of the last decimal of longitude and latitude together, at the equator."""
COMPASS = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
COMPASS |= {"northeast": 45.0, "southeast": 135.0, "southwest": 225.0, "northwest": 315.0}


def inverse(start: ListedPlace, end: ListedPlace) -> tuple[float, float]:
    """Azimuth from `start` to `end` in degrees clockwise from north, and metres between them; both are placed."""
    assert start.is_placed
    assert end.is_placed
    azimuth, _, metres = GEOD.inv(start.lon, start.lat, end.lon, end.lat)
    return float(azimuth) % 360.0, float(metres)


def metres_between(one: ListedPlace, other: ListedPlace) -> float:
    """The length of the geodesic."""
    return inverse(one, other)[1]


def deviation(azimuth: float, direction: float) -> float:
    """Degrees between two directions, 0 to 180."""
    return abs((azimuth - direction + 180.0) % 360.0 - 180.0)


def uncertainty(metres: float) -> float:
    """Degrees by which the azimuth over that distance may be off because coordinates are rounded."""
    return math.degrees(math.atan2(2 * ROUNDING, metres)) if metres > 0 else 180.0
