"""Distances and bearings on the sphere, as the paper's prompts ask for them (haversine), and on WGS84 beside them."""

from math import asin, atan2, cos, degrees, radians, sin, sqrt
from typing import NamedTuple

from pyproj import Geod

RADIUS_M = 6_371_008.8
"""The mean radius of the earth (IUGG), which the spec takes for the sphere."""
WINDS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()
SECTOR = 360 / len(WINDS)
_GEOD = Geod(ellps="WGS84")


class Point(NamedTuple):
    """A point as contexts print it, in degrees."""

    lat: float
    lon: float


class Leg(NamedTuple):
    """The way from a point to another in a straight line: metres, and degrees clockwise from north at its beginning."""

    metres: float
    bearing: float


def leg_on_sphere(start: Point, end: Point) -> Leg:
    """By the haversine formula, and the formula of the initial bearing."""
    lat, other_lat = radians(start.lat), radians(end.lat)
    lon_apart = radians(end.lon - start.lon)
    a = sin((other_lat - lat) / 2) ** 2 + cos(lat) * cos(other_lat) * sin(lon_apart / 2) ** 2
    east = sin(lon_apart) * cos(other_lat)
    north = cos(lat) * sin(other_lat) - sin(lat) * cos(other_lat) * cos(lon_apart)
    return Leg(2 * RADIUS_M * asin(min(1.0, sqrt(a))), degrees(atan2(east, north)) % 360)


def leg_on_ground(start: Point, end: Point) -> Leg:
    """The geodesic on WGS84."""
    bearing, _, metres = _GEOD.inv(start.lon, start.lat, end.lon, end.lat)
    return Leg(metres, bearing % 360)


def rounded_bearing(bearing: float) -> float:
    """A bearing with two decimals, 0 up to 359.99: what rounds to 360 is north."""
    return round(bearing, 2) % 360


def wind_of(bearing: float) -> str:
    """The point of the compass, of sixteen, in whose sector of 22.5° a bearing lies: `ESE`."""
    return WINDS[round(bearing / SECTOR) % len(WINDS)]


def from_edge_of_sector(bearing: float) -> float:
    """Degrees from a bearing to where the next point of the compass begins; at most half a sector."""
    into = (bearing + SECTOR / 2) % SECTOR
    return min(into, SECTOR - into)


def angle_between(one: float, other: float) -> float:
    """Degrees between two bearings, the shorter way round."""
    apart = abs(one - other) % 360
    return min(apart, 360 - apart)
