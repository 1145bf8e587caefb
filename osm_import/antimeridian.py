"""Import stage: boxes and areas that cross the antimeridian, where longitude 180 and -180 meet. Pure.

Coordinates are lon, lat in degrees on WGS84. A box whose west is greater than its east crosses it; an edge of a line or
a ring that is more than 180 degrees wide does. What crosses it is stored in parts, one on each side.
"""

from array import array
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from shapely import MultiPolygon, Polygon

from osm_import.heads import HALF, WHOLE, Box


def box_area(box: Box) -> MultiPolygon:
    """The ground that a box holds, in two parts where it crosses the antimeridian."""
    if not box.crosses:
        return MultiPolygon([shapely.box(*box)])
    sides = ((box.west, HALF), (-HALF, box.east))
    return MultiPolygon(
        [shapely.box(west, box.south, east, box.north) for west, east in sides if west < east]
    )


def crosses(degrees: "array[float]") -> bool:
    """Whether a line given as lon, lat, lon, lat … goes over the antimeridian."""
    lons = degrees[::2]
    return any(abs(one - other) > HALF for one, other in pairwise(lons))


def may_cross(points: str) -> bool:
    """Whether a line in WKB's hexadecimal, from its number of points on, begins where it could; costs next to nothing.

    The exponent of its first longitude tells whether that is 128 degrees or more.
    """
    return points[20:21] == "6" and points[22:24] in ("40", "c0")


def split_area(geometry: Any) -> Any:
    """An area with its parts on both sides of the antimeridian; the same object where it does not cross it.

    None where its rings run around a pole: nobody can tell what such a ring encloses.
    """
    rings = [ring for part in shapely.get_parts(geometry) for ring in (part.exterior, *part.interiors)]
    jumps = [int(np.sum(np.abs(np.diff(shapely.get_coordinates(ring)[:, 0])) > HALF)) for ring in rings]
    if not any(jumps):
        return geometry
    if any(count % 2 for count in jumps):
        return None
    east = shapely.transform(geometry, _to_the_east)
    if not east.is_valid:
        east = shapely.make_valid(east)
    sides = (
        shapely.intersection(east, shapely.box(0, -90, HALF, 90)),
        shapely.transform(shapely.intersection(east, shapely.box(HALF, -90, WHOLE, 90)), _to_the_west),
    )
    parts = [part for side in sides for part in shapely.get_parts(side) if isinstance(part, Polygon)]
    return MultiPolygon(parts) if parts else None


def _to_the_east(places: np.ndarray) -> np.ndarray:
    """Longitudes from 0 to 360."""
    return np.column_stack((np.where(places[:, 0] < 0, places[:, 0] + WHOLE, places[:, 0]), places[:, 1]))


def _to_the_west(places: np.ndarray) -> np.ndarray:
    return np.column_stack((places[:, 0] - WHOLE, places[:, 1]))
