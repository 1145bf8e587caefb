"""Second path of the relations: shapes are projected around themselves, and compared there. Metres.

Limits are a little wider than those of the rules, since another plane gives lengths that differ by some thousandths.
"""

from collections.abc import Sequence
from math import atan2, cos, degrees, hypot, sin
from typing import Any

import shapely
from pyproj import Transformer

from app.benchmarks.urban_reasoning.second_path.shapes import (
    NEAREST,
    Spots,
    Vertex,
    also_of,
    bearing_of,
    crossings,
    ends_of,
    five_of,
    inside,
    name_of,
    nearest_metres,
    printed,
    ten_of,
    texts_of,
    vertices_of,
)
from app.benchmarks.urban_reasoning.second_path.two_places import judged
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers

ROUNDING, APART, FAR = 1.2, 29.9, 501.0
ALONG, ACROSS = 10.05, 24.95
BESIDE, INSIDE = 0.495, 0.0495
UNCLEAR = "unclear_relation"


@second_path("urban_reasoning", "Relation_Of_Roads")
def relation_of_roads(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """By the roads' crossings and common points, else by their directions and how far they are apart."""
    keys = _two(parameters, "roads")
    lines = [vertices_of(layers, "road", key) for key in keys]
    shared = [vertex for vertex in lines[0] if vertex in lines[1]]
    points = [five_of(line, line.index(shared[0]) if shared else None) for line in lines]
    one, other = (printed(line) for line in points)
    facts = {
        "crossings": crossings(ends_of(one, closed=False), ends_of(other, closed=False)),
        "points_of_1_also_of_2": also_of(one, other),
        "bearings": [bearing_of(one), bearing_of(other)],
        NEAREST: nearest_metres(one, other),
    }
    names = [name_of(layers, "road", key) for key in keys]
    return _answer(parameters, _of_roads(one, other), names, points, facts)


def _of_roads(one: Spots, other: Spots) -> str | None:
    first, second = (shapely.LineString(line) for line in _projected(one, other))
    apart = first.distance(second)
    if apart <= ROUNDING:
        met = set(one) & set(other) or any(
            _is_in_the_middle(point, first, second) for point in _met(first, second)
        )
        return "Intersecting" if met else None
    headings = [
        atan2(*(end - start for start, end in zip(line.coords[0], line.coords[-1], strict=True)))
        for line in (first, second)
    ]
    between = abs(degrees(headings[0] - headings[1])) % 180
    between = min(between, 180 - between)
    if apart < APART or ALONG < between < ACROSS:
        return None
    if between >= ACROSS:
        return "Disconnected"
    return "Parallel" if apart <= FAR and _beside(first, second) >= BESIDE else None


def _met(first: Any, second: Any) -> list[Any]:
    return [point for point in shapely.get_parts(first.intersection(second)) if point.geom_type == "Point"]


def _is_in_the_middle(point: Any, *lines: Any) -> bool:
    """Whether a crossing is well away from all ends."""
    return all(APART <= line.project(point) <= line.length - APART for line in lines)


def _beside(first: Any, second: Any) -> float:
    """What share of the shorter road lies beside the longer one, along the longer one's axis."""
    shorter, longer = sorted((first, second), key=lambda line: line.length)
    (x, y), (end_x, end_y) = longer.coords[0], longer.coords[-1]
    length = hypot(end_x - x, end_y - y)
    heading = atan2(end_y - y, end_x - x)
    along = sorted((px - x) * cos(heading) + (py - y) * sin(heading) for px, py in shorter.coords)
    common = min(along[-1], length) - max(along[0], 0.0)
    return float(common / (along[-1] - along[0])) if along[-1] > along[0] else 0.0


@second_path("urban_reasoning", "Relation_Of_Road_And_Area")
def relation_of_road_and_area(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """By what of the road is inside; a road that touches ends where it meets the boundary first."""
    road_key, _, area_key = parameter(parameters, "pair", str).partition(" ")
    road, ring = vertices_of(layers, "road", road_key), vertices_of(layers, "aoi", area_key)
    if parameter(parameters, "terms", str) == "Touch":
        road, ring = _up_to(road, ring)
    points = [five_of(road), ten_of(ring)]
    line, boundary = (printed(shape) for shape in points)
    facts = {
        "crossings": crossings(ends_of(line, closed=False), ends_of(boundary, closed=True)),
        "points_of_road_inside": inside(line, boundary),
        "points_of_road_on_corners": also_of(line, boundary),
        NEAREST: nearest_metres(line, boundary),
    }
    names = [name_of(layers, "road", road_key), name_of(layers, "aoi", area_key)]
    return _answer(parameters, _of_road_and_area(line, boundary), names, points, facts)


def _of_road_and_area(road: Spots, ring: Spots) -> str | None:
    line, boundary = _projected(road, ring)
    way, area = shapely.LineString(line), shapely.Polygon(boundary)
    if not area.is_valid:
        return None
    if way.intersects(area.buffer(-ROUNDING)):
        deep = way.intersects(area.buffer(-1.99 * ROUNDING))
        return "Pass through" if deep and way.intersection(area).length >= INSIDE * way.length else None
    if set(road) & set(ring):
        return "Touch" if way.intersection(area).length <= 1.01 * ROUNDING else None
    return "Lie outside" if way.distance(area) >= APART else None


def _up_to(road: list[Vertex], ring: list[Vertex]) -> tuple[list[Vertex], list[Vertex]]:
    """The part of a road from an end outside to the boundary, and the boundary from there."""
    area = shapely.Polygon(ring)
    outside = [line for line in (road, road[::-1]) if not area.covers(shapely.Point(line[0]))]
    if not outside:
        raise Refused("other_form")
    line = outside[0]
    for place in range(1, len(line)):
        piece = shapely.LineString(line[place - 1 : place + 1])
        met = [
            (point.distance(shapely.Point(line[place - 1])), after, (point.x, point.y))
            for after in range(len(ring))
            for point in (piece.intersection(shapely.LineString((ring[after - 1], ring[after]))),)
            if point.geom_type == "Point" and not point.is_empty
        ]
        if met:
            _, after, end = min(met, key=lambda one: (one[0], (one[1] - 1) % len(ring)))
            turned = [*ring[after:], *ring[:after]]
            return [*(one for one in line[:place] if one != end), end], [
                end,
                *(one for one in turned if one != end),
            ]
    raise Refused("other_form")


@second_path("urban_reasoning", "Relation_Of_Areas")
def relation_of_areas(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """By how much of the areas is common; adjacent ones show both ends of the side that they share."""
    keys = _two(parameters, "areas")
    rings = [vertices_of(layers, "aoi", key) for key in keys]
    adjacent = parameter(parameters, "terms", str) == "Adjacent"
    points = (
        [_with_common_side(*pair) for pair in (rings, rings[::-1])]
        if adjacent
        else [ten_of(one) for one in rings]
    )
    one, other = (printed(ring) for ring in points)
    facts = {
        "crossings": crossings(ends_of(one, closed=True), ends_of(other, closed=True)),
        "points_of_1_inside_2": inside(one, other),
        "points_of_2_inside_1": inside(other, one),
        "points_of_1_also_of_2": also_of(one, other),
        NEAREST: nearest_metres(one, other),
    }
    return _answer(
        parameters, _of_areas(one, other), [name_of(layers, "aoi", key) for key in keys], points, facts
    )


def _with_common_side(ring: list[Vertex], other: list[Vertex]) -> list[Vertex]:
    """The boundary from the end of its longest common part around to the start of that, ten vertices at most."""
    common = [vertex in other for vertex in ring]
    best: tuple[int, int] = (0, 0)
    for start in range(len(ring)):
        size = 0
        while common[(start + size) % len(ring)] and not common[start - 1]:
            size += 1
        if size > best[0]:
            best = (size, start)
    if best[0] < 2:
        raise Refused("other_form")
    size, start = best
    around = [ring[(start + size - 1 + step) % len(ring)] for step in range(len(ring) - size + 2)]
    if len(around) <= 10:
        return around
    return [around[(len(around) - 1) * step // 9] for step in range(10)]


def _of_areas(one: Spots, other: Spots) -> str | None:
    first, second = (shapely.Polygon(ring) for ring in _projected(one, other))
    if not (first.is_valid and second.is_valid):
        return None
    common = first.intersection(second).area
    if common >= INSIDE * min(first.area, second.area):
        return "Overlapping"
    sides = [{frozenset(pair) for pair in ends_of(ring, closed=True)} for ring in (one, other)]
    if sides[0] & sides[1]:
        return "Adjacent" if common <= 1.01 * ROUNDING * min(first.length, second.length) else None
    return "Separate" if first.distance(second) >= APART else None


def _two(parameters: Parameters, name: str) -> list[str]:
    keys: list[str] = parameter(parameters, name, list)
    if len(set(keys)) != 2:
        raise Refused("bad_parameters", parameter=name, found=keys)
    return keys


def _projected(*shapes: Spots) -> list[list[Vertex]]:
    """Shapes in metres around the first point of the first."""
    lon, lat = shapes[0][0]
    plane = Transformer.from_crs(
        "EPSG:4326", f"+proj=aeqd +lon_0={lon} +lat_0={lat} +R=6371008.8", always_xy=True
    )
    return [[plane.transform(*spot) for spot in shape] for shape in shapes]


def _answer(
    parameters: Parameters,
    relation: str | None,
    names: Sequence[str],
    points: Sequence[Any],
    facts: dict[str, Any],
) -> SecondAnswer:
    texts = [texts_of(shape) for shape in points]
    alike = any(len(set(told)) < len(told) for told in texts)
    few = min(map(len, points)) < 4
    wanted = parameter(parameters, "terms", str)
    refusal = first_refusal(
        (few, "few_corners"),
        (relation is None, UNCLEAR),
        (relation != wanted, "other_form"),
        (alike, "points_alike"),
        (names[0] == names[1], "names_alike"),
    )
    shown = [[name, told] for name, told in zip(names, texts, strict=True)]
    value = {"relation": relation, "printed": shown, **judged("RE", relation or "", facts)}
    return SecondAnswer(value, refusal, {"relation": relation})
