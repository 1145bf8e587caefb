"""GCJ-02, the frame of coordinates of Chinese maps, such as Gaode's, from which the published stations come.

In China, places in it lie some 100 to 700 m off those of WGS84; elsewhere both are one. The offset is a published fact
without a standard: a sum of sines over the place, scaled to degrees on Krasovsky's ellipsoid of 1940.
Nothing here is applied when files are read: published distances are those between published coordinates. A caller that
looks for published stations on a map of OpenStreetMap converts them first.
"""

from math import cos, pi, radians, sin, sqrt
from typing import NamedTuple

WEST, SOUTH, EAST, NORTH = 72.004, 0.8293, 137.8347, 55.8271
"""Degrees: the box in which the offset is applied."""
AXIS_M = 6_378_245.0
"""The larger half-axis of Krasovsky's ellipsoid, metres."""
SQUARED_ECCENTRICITY = 0.00669342162296594323
_CENTRE = (105.0, 35.0)
"""Degrees: where the sums of sines begin."""
EXACT = 1e-12
"""Degrees to which a place is found again: less than a micrometre."""
MOST_ROUNDS = 30


class Degrees(NamedTuple):
    """A place; which frame it is in, the functions' names say."""

    lon: float
    lat: float


def is_offset(lon: float, lat: float) -> bool:
    """Whether a place lies in the box in which GCJ-02 differs from WGS84."""
    return WEST <= lon <= EAST and SOUTH <= lat <= NORTH


def to_gcj02(lon: float, lat: float) -> Degrees:
    """A place of WGS84 as GCJ-02 writes it."""
    if not is_offset(lon, lat):
        return Degrees(lon, lat)
    east, north = _offset(lon, lat)
    return Degrees(lon + east, lat + north)


def from_gcj02(lon: float, lat: float) -> Degrees:
    """The place of WGS84 that GCJ-02 writes so, by repeated correction; exact to a micrometre.

    At the rim of the box two places may be written alike: the one within the box is given.
    """
    if not is_offset(lon, lat):
        return Degrees(lon, lat)
    found = Degrees(lon, lat)
    for _ in range(MOST_ROUNDS):
        east, north = _offset(*found)
        better = Degrees(lon - east, lat - north)
        if abs(better.lon - found.lon) < EXACT and abs(better.lat - found.lat) < EXACT:
            return better
        found = better
    return found


def _offset(lon: float, lat: float) -> tuple[float, float]:
    """Degrees by which the place of GCJ-02 lies east and north of that of WGS84."""
    x, y = lon - _CENTRE[0], lat - _CENTRE[1]
    ripple = 20.0 * (sin(6.0 * pi * x) + sin(2.0 * pi * x))
    north_m = -100.0 + 2.0 * x + 3.0 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * sqrt(abs(x))
    north_m += (ripple + 20.0 * sin(pi * y) + 40.0 * sin(pi * y / 3.0)) * 2.0 / 3.0
    north_m += (160.0 * sin(pi * y / 12.0) + 320.0 * sin(pi * y / 30.0)) * 2.0 / 3.0
    east_m = 300.0 + x + 2.0 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * sqrt(abs(x))
    east_m += (ripple + 20.0 * sin(pi * x) + 40.0 * sin(pi * x / 3.0)) * 2.0 / 3.0
    east_m += (150.0 * sin(pi * x / 12.0) + 300.0 * sin(pi * x / 30.0)) * 2.0 / 3.0
    bent = 1.0 - SQUARED_ECCENTRICITY * sin(radians(lat)) ** 2
    meridian_m = AXIS_M * (1.0 - SQUARED_ECCENTRICITY) / (bent * sqrt(bent))
    parallel_m = AXIS_M / sqrt(bent) * cos(radians(lat))
    return east_m * 180.0 / (parallel_m * pi), north_m * 180.0 / (meridian_m * pi)
