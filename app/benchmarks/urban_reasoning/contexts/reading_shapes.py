"""Relations from the printed points alone: no map, no gold. What is nearer than two metres meets."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from app.benchmarks.urban_reasoning.contexts.reading import EARTH_M, Asks, Options, finds, read_position

MEETS_M = 2.0
OVERLAPS_FROM = 0.049
HALFWAY_DEGREES = 17.5
"""Between what counts as parallel (10) and what clearly does not (25)."""
_POINT = re.compile(r"\([^()]*\)")
Spots = list[tuple[float, float]]


@finds("Relation_Of_Roads")
def relation_of_roads(text: str, asks: Asks, _: Options) -> Mapping[str, Any]:
    """Intersecting where they meet, else by the angle between their ends."""
    one, other = (LineString(spots) for spots in _shapes_in(text, asks))
    if one.distance(other) < MEETS_M:
        return {"relation": "Intersecting"}
    apart = abs(_direction(one) - _direction(other)) % 180
    return {"relation": "Parallel" if min(apart, 180 - apart) < HALFWAY_DEGREES else "Disconnected"}


@finds("Relation_Of_Road_And_Area")
def relation_of_road_and_area(text: str, asks: Asks, _: Options) -> Mapping[str, Any]:
    """Pass through where some of the road is inside, else by how far it is away."""
    road, ring = _shapes_in(text, asks)
    line, area = LineString(road), _area(ring)
    if line.intersection(area).length > MEETS_M:
        return {"relation": "Pass through"}
    return {"relation": "Touch" if line.distance(area) < MEETS_M else "Lie outside"}


@finds("Relation_Of_Areas")
def relation_of_areas(text: str, asks: Asks, _: Options) -> Mapping[str, Any]:
    """Overlapping where a twentieth of the smaller one is common, else by how far they are apart."""
    one, other = (_area(spots) for spots in _shapes_in(text, asks))
    if one.intersection(other).area > OVERLAPS_FROM * min(one.area, other.area):
        return {"relation": "Overlapping"}
    return {"relation": "Adjacent" if one.distance(other) < MEETS_M else "Separate"}


def _area(ring: Spots) -> Polygon:
    area = Polygon(ring)
    if not area.is_valid:
        raise ValueError("a boundary crosses itself")
    return area


def _shapes_in(text: str, asks: Asks) -> list[Spots]:
    """The points of both shapes in metres east and north of the first. Raises ValueError where a shape is missing."""
    written = [_points_of(text, *named) for named in zip(asks["kinds"], asks["names"], (0, 1), strict=True)]
    positions = [[read_position(one) for one in points] for points in written]
    origin = positions[0][0]
    east = EARTH_M * math.cos(origin.lat)
    return [
        [((one.lon - origin.lon) * east, (one.lat - origin.lat) * EARTH_M) for one in shape]
        for shape in positions
    ]


def _points_of(text: str, kind: str, name: str, place: int) -> Sequence[str]:
    if text.startswith("{"):
        shape = json.loads(text)["shapes"][place]
        points, found = shape["points"], (shape["kind"], shape["name"]) == (kind, name)
    else:
        line = text.split("\n")[place + 1]
        points, found = (
            _POINT.findall(line.rpartition(": ")[2]),
            line.startswith(f"{kind.capitalize()} {name}: "),
        )
    if not found:
        raise ValueError(f"the context tells nothing of the {kind} {name!r}")
    return list(points)


def _direction(line: BaseGeometry) -> float:
    """Degrees from north to the way from a line's first point to its last."""
    (east, north), *_, (last_east, last_north) = line.coords
    return math.degrees(math.atan2(last_east - east, last_north - north))
