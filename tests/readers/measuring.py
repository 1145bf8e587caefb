"""Metres, square metres and degrees by an earth: the ellipsoid of WGS84, or a sphere."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import shapely
from pyproj import Geod
from shapely.ops import nearest_points

ELLIPSOID = Geod(ellps="WGS84")
SPHERE = Geod(a=6_371_008.8, b=6_371_008.8)
"""Of the mean radius."""
METRES_A_DEGREE = 110_574.0
"""Of latitude at the equator, where a degree is shortest."""


def measure(start: Any, end: Any, earth: Geod) -> tuple[float, float]:
    """Azimuth in [0, 360) and metres of the shortest line between two points."""
    azimuth, _, distance = earth.inv(start.x, start.y, end.x, end.y)
    return azimuth % 360, distance


def gap(one: Any, other: Any, earth: Geod) -> float:
    """Metres between the nearest points of two shapes; which these are is found in a plane around the first."""
    narrow = math.cos(math.radians(one.centroid.y))
    start, end = (
        shapely.Point(one_end.x / narrow, one_end.y)
        for one_end in nearest_points(
            *(shapely.transform(shape, lambda at: at * [narrow, 1]) for shape in (one, other))
        )
    )
    return measure(start, end, earth)[1]


def box_around(shape: Any, metres: float) -> Any:
    """A box in degrees that holds every point within `metres` of a point or an area."""
    west, south, east, north = shape.bounds
    up = 1.01 * metres / METRES_A_DEGREE
    poleward = min(max(abs(south), abs(north)) + up, 89.0)
    aside = up / math.cos(math.radians(poleward))
    return shapely.box(west - aside, south - up, east + aside, north + up)


def area_of(geometry: Any, earth: Geod) -> float:
    """Square metres of all polygons in a geometry."""

    def ring(line: Any) -> float:
        return abs(earth.polygon_area_perimeter(*np.asarray(line.coords).T[:2])[0])

    polygons = [part for part in _parts(geometry) if part.geom_type == "Polygon" and not part.is_empty]
    return float(sum(ring(one.exterior) - sum(map(ring, one.interiors)) for one in polygons))


def length_of(geometry: Any, earth: Geod) -> float:
    """Metres of all lines in a geometry."""
    lines = [part for part in _parts(geometry) if part.geom_type == "LineString" and not part.is_empty]
    return float(sum(earth.geometry_length(line) for line in lines))


def _parts(geometry: Any) -> Iterable[Any]:
    return (
        part
        for collection in shapely.get_parts(geometry).tolist()
        for part in shapely.get_parts(collection).tolist()
    )
