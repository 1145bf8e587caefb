"""Relations (RE): how two roads, a road and an area, or two areas lie to one another, by the points that are printed.

Edges are straight in degrees of longitude and latitude, as somebody takes them who sees the points alone; metres are
those of a plane around the two. Each function gives a term of the paper's three (Figures 35 to 37), or None where a
point that is rounded otherwise, or a reader who looks less closely, could find another term.
"""

from collections.abc import Sequence
from math import atan2, cos, degrees, hypot, radians

import shapely
from shapely import LineString, Polygon
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from app.benchmarks.urban_reasoning.truth.sphere import RADIUS_M, Point

INTERSECTING, PARALLEL, DISCONNECTED = "Intersecting", "Parallel", "Disconnected"
PASS_THROUGH, TOUCH, LIE_OUTSIDE = "Pass through", "Touch", "Lie outside"
OVERLAPPING, ADJACENT, SEPARATE = "Overlapping", "Adjacent", "Separate"

ROUNDED_M = 1.2
"""How far a point may lie from where it is printed: five decimals of a degree."""
CLEAR_M = 30.0
"""Metres apart from which on two things clearly do not meet."""
PARALLEL_UP_TO, ASKEW_FROM = 10.0, 25.0
"""Degrees between the axes of roads up to which they are parallel, and from which on they clearly are not."""
BESIDE_SHARE, BESIDE_M = 0.5, 500.0
"""What share of the shorter of two parallel roads lies beside the other, and how far they may be apart."""
LEAST_INSIDE_SHARE = 0.05
"""What share of a road, or of the smaller area, lies inside at least where it clearly does."""


def relation_of_roads(one: Sequence[Point], other: Sequence[Point]) -> str | None:
    """Intersecting, Parallel or Disconnected."""
    first, second = on_plane(LineString(_lon_lat(one)), LineString(_lon_lat(other)))
    apart = first.distance(second)
    if apart <= ROUNDED_M:
        return INTERSECTING if _crosses_clearly(first, second) or set(one) & set(other) else None
    askew = _angle_between_axes(first, second)
    if apart < CLEAR_M or PARALLEL_UP_TO < askew < ASKEW_FROM:
        return None
    if askew >= ASKEW_FROM:
        return DISCONNECTED
    beside = _share_beside(first, second) >= BESIDE_SHARE and apart <= BESIDE_M
    return PARALLEL if beside else None


def relation_of_road_and_area(road: Sequence[Point], ring: Sequence[Point]) -> str | None:
    """Pass through, Touch or Lie outside. They touch where the road has corners of the ring, and no part inside."""
    line, area = on_plane(LineString(_lon_lat(road)), Polygon(_lon_lat(ring)))
    if not area.is_valid:
        return None
    inside = line.intersection(area.buffer(-ROUNDED_M))
    if not inside.is_empty:
        return PASS_THROUGH if _is_clearly_inside(inside.length, line, area) else None
    if set(road) & set(ring):
        return TOUCH if line.intersection(area).length <= ROUNDED_M else None
    return LIE_OUTSIDE if line.distance(area) >= CLEAR_M else None


def relation_of_areas(one: Sequence[Point], other: Sequence[Point]) -> str | None:
    """Overlapping (also where one holds the other), Adjacent or Separate. Adjacent areas share a side."""
    first, second = on_plane(Polygon(_lon_lat(one)), Polygon(_lon_lat(other)))
    if not (first.is_valid and second.is_valid):
        return None
    shared = first.intersection(second).area
    smaller = min(first.area, second.area)
    if shared >= LEAST_INSIDE_SHARE * smaller:
        return OVERLAPPING
    if _share_a_side(one, other):
        return ADJACENT if shared <= ROUNDED_M * min(first.length, second.length) else None
    return SEPARATE if first.distance(second) >= CLEAR_M else None


def on_plane(*shapes: BaseGeometry) -> list[BaseGeometry]:
    """Shapes in lon, lat in metres of one plane around the first of them; straight edges stay straight."""
    lon, lat = shapes[0].centroid.coords[0]
    north = radians(1) * RADIUS_M
    east = north * cos(radians(lat))
    return [affine_transform(shape, [east, 0, 0, north, -lon * east, -lat * north]) for shape in shapes]


def _lon_lat(points: Sequence[Point]) -> list[tuple[float, float]]:
    return [(point[1], point[0]) for point in points]


def _crosses_clearly(first: BaseGeometry, second: BaseGeometry) -> bool:
    """Whether the roads cross in one another's middle: where each were shorter by CLEAR_M at its ends, too."""
    shorter = [
        substring(road, CLEAR_M, road.length - CLEAR_M)
        for road in (first, second)
        if road.length > 2 * CLEAR_M
    ]
    return len(shorter) == 2 and bool(shorter[0].crosses(shorter[1]))


def _angle_between_axes(first: BaseGeometry, second: BaseGeometry) -> float:
    """Degrees between the lines from a road's first point to its last, 0 to 90."""
    one, other = (_axis_of(road) for road in (first, second))
    apart = abs(one - other) % 180
    return min(apart, 180 - apart)


def _axis_of(road: BaseGeometry) -> float:
    (x, y), *_, (last_x, last_y) = road.coords
    return degrees(atan2(last_x - x, last_y - y))


def _share_beside(first: BaseGeometry, second: BaseGeometry) -> float:
    """What share of the shorter road's axis the two have in common along the axis of the longer one."""
    longer, shorter = sorted((first, second), key=lambda road: -road.length)
    start, *_, end = longer.coords
    along = [_along(point, start, end) for point in shorter.coords]
    length = shapely.Point(start).distance(shapely.Point(end))
    low, high = min(along), max(along)
    return (min(high, length) - max(low, 0.0)) / (high - low) if high > low else 0.0


def _along(point: Sequence[float], start: Sequence[float], end: Sequence[float]) -> float:
    """How far along the line from `start` to `end` a point lies, in metres."""
    east, north = end[0] - start[0], end[1] - start[1]
    return float(((point[0] - start[0]) * east + (point[1] - start[1]) * north) / hypot(east, north))


def _is_clearly_inside(metres: float, road: BaseGeometry, area: BaseGeometry) -> bool:
    """Whether enough of a road is inside, deep enough that no rounding takes it out."""
    is_deep = bool(road.intersects(area.buffer(-2 * ROUNDED_M)))
    return is_deep and metres >= LEAST_INSIDE_SHARE * road.length


def _share_a_side(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two rings have two corners in common that follow one another in both."""
    sides = [
        {frozenset(pair) for pair in zip(ring, [*ring[1:], ring[0]], strict=True) if pair[0] != pair[1]}
        for ring in (one, other)
    ]
    return bool(sides[0] & sides[1])
