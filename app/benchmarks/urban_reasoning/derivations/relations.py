"""Relations (RE) of roads and areas, by the points of both that are printed. Degrees."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import shapely

from app.benchmarks.urban_reasoning.judged import (
    facts_of_areas,
    facts_of_road_and_area,
    facts_of_roads,
    judged,
)
from app.benchmarks.urban_reasoning.printing import DECIMAL, PrintedPoint, print_point
from app.benchmarks.urban_reasoning.sampling import (
    LEAST_OF_RING,
    Line,
    Stretch,
    Vertex,
    common_side,
    common_vertex,
    points_with_side,
    ring_points,
    road_points,
    stretch_up_to,
)
from app.benchmarks.urban_reasoning.truth.relations import (
    ADJACENT,
    TOUCH,
    relation_of_areas,
    relation_of_road_and_area,
    relation_of_roads,
)
from app.questions.derivations.base import Case, Derived, derivation, refused

TWO = 2
Printed = Sequence[PrintedPoint]


@derivation("urban_reasoning", "relation_of_roads")
def of_roads(case: Case) -> Derived:
    """How two roads lie to one another; a vertex that they share is printed of both."""
    if len(case.rows) < TWO:
        return refused("no_answer")
    lines = [_line(row["wkb"]) for row in case.rows]
    kept = common_vertex(*lines) or (None, None)
    printed = [_print(road_points(line, place)) for line, place in zip(lines, kept, strict=True)]
    names = [row["name"] for row in case.rows]
    points = _points(printed)
    return _derived(case, _Found(relation_of_roads(*points), facts_of_roads(*points)), names, printed)


@derivation("urban_reasoning", "relation_of_road_and_area")
def of_road_and_area(case: Case) -> Derived:
    """How a road lies to an area. One that only touches it is the part of a road that ends at the area's boundary."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    road: Line = _line(row["road_wkb"])
    ring: Line = _ring(row["area_wkb"])
    if len(ring) < LEAST_OF_RING:
        return refused("few_corners")
    if row["wanted"] == TOUCH:
        stretch = _outer_stretch(road, ring)
        if stretch is None:
            return refused("other_form")
        road, ring = stretch
    printed = [_print(road_points(road)), _print(ring_points(ring))]
    points = _points(printed)
    found = _Found(relation_of_road_and_area(*points), facts_of_road_and_area(*points))
    return _derived(case, found, [row["road_name"], row["area_name"]], printed)


@derivation("urban_reasoning", "relation_of_areas")
def of_areas(case: Case) -> Derived:
    """How two areas lie to one another. Of adjacent ones, the ends of the side that they share are printed of both."""
    if len(case.rows) < TWO:
        return refused("no_answer")
    rings = [_ring(row["wkb"]) for row in case.rows]
    if min(map(len, rings)) < LEAST_OF_RING:
        return refused("few_corners")
    points = [ring_points(ring) for ring in rings]
    if case.rows[0]["wanted"] == ADJACENT:
        sides = common_side(*rings), common_side(*reversed(rings))
        if sides[0] is None or sides[1] is None or {*sides[0][:2]} != {*sides[1][:2]}:
            return refused("other_form")
        points = [points_with_side(side) for side in sides if side]
        if min(map(len, points)) < LEAST_OF_RING:
            return refused("few_corners")
    printed = [_print(one) for one in points]
    names = [row["name"] for row in case.rows]
    found = _Found(relation_of_areas(*_points(printed)), facts_of_areas(*_points(printed)))
    return _derived(case, found, names, printed)


class _Found(NamedTuple):
    """How two shapes lie to one another, None where that is not clear; and what a judge is told of them."""

    relation: str | None
    facts: Mapping[str, Any]


def _derived(case: Case, found: _Found, names: Sequence[str], printed: Sequence[Printed]) -> Derived:
    """Gold where the relation is clear, and the one that is wanted."""
    if found.relation is None:
        return refused("unclear_relation")
    if found.relation != case.rows[0]["wanted"]:
        return refused("other_form")
    if any(len({point.text for point in points}) < len(points) for points in printed):
        return refused("points_alike")
    told = [[name, [point.text for point in points]] for name, points in zip(names, printed, strict=True)]
    gold = {"relation": found.relation, "printed": told}
    return Derived({**gold, **judged("RE", found.relation, found.facts)})


def _line(wkb: str) -> list[Vertex]:
    return [(lon, lat) for lon, lat in shapely.from_wkb(wkb).coords]


def _ring(wkb: str) -> list[Vertex]:
    """The outer boundary of an area of one piece, without the vertex that closes it."""
    return [(lon, lat) for lon, lat in shapely.from_wkb(wkb).geoms[0].exterior.coords[:-1]]


def _print(vertices: Line) -> list[PrintedPoint]:
    return [print_point(lon, lat, DECIMAL) for lon, lat in vertices]


def _points(printed: Sequence[Printed]) -> list[list[Any]]:
    return [[one.point for one in points] for points in printed]


def _outer_stretch(road: Line, ring: Line) -> Stretch | None:
    """The part of a road from an end outside to the boundary: from its first vertex, else from its last."""
    area = shapely.Polygon(ring)
    if not area.is_valid:
        return None
    for line in (road, road[::-1]):
        if not area.covers(shapely.Point(line[0])):
            crossings = _crossings(line, ring)
            return stretch_up_to(line, crossings, ring) if crossings else None
    return None


def _crossings(road: Line, ring: Line) -> list[tuple[int, int, Vertex]]:
    """Where the first edge of a road that meets a boundary does so, the point next to its start first."""
    sides = [shapely.LineString((ring[place], ring[(place + 1) % len(ring)])) for place in range(len(ring))]
    for edge, ends in enumerate(pairwise(road)):
        piece, start = shapely.LineString(ends), shapely.Point(ends[0])
        met = [
            (point.distance(start), edge, side, (point.x, point.y))
            for side, line in enumerate(sides)
            if isinstance(point := piece.intersection(line), shapely.Point) and not point.is_empty
        ]
        if met:
            return [one[1:] for one in sorted(met)]
    return []
