"""What a judge is told of a question: its rubric, the right answer, and what else is true. Kept with gold. Pure."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import hypot, radians, sin
from typing import Any

from app.benchmarks.urban_reasoning.truth.choices import Offer
from app.benchmarks.urban_reasoning.truth.destinations import bounds_of
from app.benchmarks.urban_reasoning.truth.lattice import (
    common_points,
    crossings_of,
    edges_of,
    least_metres,
    points_inside,
)
from app.benchmarks.urban_reasoning.truth.orders import orders_of
from app.benchmarks.urban_reasoning.truth.orders import spots_of as spots_of_legs
from app.benchmarks.urban_reasoning.truth.sphere import RADIUS_M, Leg, Point, leg_on_sphere, rounded_bearing
from app.benchmarks.urban_reasoning.truth.ways import Segments, ways_of

NEAREST_POINTS = "metres_between_nearest_points"


def judged(rubric: str, reference: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The part of gold that a judge reads."""
    return {"judge": {"rubric": rubric, "reference": reference, "facts": dict(facts)}}


def facts_of_points(ends: Sequence[Point]) -> dict[str, Any]:
    """Both points in radians (latitude, longitude), and the differences."""
    told = [[round(radians(one.lat), 6), round(radians(one.lon), 6)] for one in ends]
    apart = [
        round(radians(ends[1].lat - ends[0].lat), 8),
        round(radians(ends[1].lon - ends[0].lon), 8),
    ]
    return {"radians": told, "differences_in_radians": apart}


def facts_of_distance(ends: Sequence[Point], metres: float) -> dict[str, Any]:
    """The values between the coordinates and the distance by the haversine formula."""
    c = metres / RADIUS_M
    return {
        **facts_of_points(ends),
        "haversine_a": f"{sin(c / 2) ** 2:.5e}",
        "haversine_c": f"{c:.5e}",
        "metres": round(metres, 1),
    }


def facts_of_tour(names: Sequence[str], legs: Sequence[Leg]) -> dict[str, Any]:
    """Where the places lie east and north of the start, which is the farthest, and the lengths of all orders."""
    spots = spots_of_legs(legs)
    far = [hypot(*spot) for spot in spots]
    orders = {
        "->".join(names[place] for place in order.places): round(order.metres / 1000, 3)
        for order in orders_of(spots)
    }
    return {
        "km_east_and_north": {
            name: [round(part / 1000, 3) for part in spot] for name, spot in zip(names, spots, strict=True)
        },
        "farthest_from_start": names[max(range(len(far)), key=far.__getitem__)],
        "km_of_orders": dict(sorted(orders.items())),
    }


def facts_of_way(way: Sequence[Point], candidates: Mapping[str, Point]) -> dict[str, Any]:
    """The headings of the way, and how each candidate lies to its end."""
    bounds = bounds_of(way, list(candidates.values()))
    legs = [leg_on_sphere(one, other) for one, other in pairwise(way)]
    return {
        "bearings_of_legs": [rounded_bearing(leg.bearing) for leg in legs],
        "overall_bearing": rounded_bearing(leg_on_sphere(way[0], way[-1]).bearing),
        "candidates": {
            name: {
                "metres": round(one.metres, 1),
                "degrees_off_last_leg": round(one.off_last, 2),
                "degrees_off_overall": round(one.off_overall, 2),
            }
            for name, one in zip(candidates, bounds, strict=True)
        },
    }


def facts_of_segments(segments: Segments, start: Point, goal: Point) -> dict[str, Any]:
    """How long each segment is, and every way from the start to the goal, the shortest first."""
    metres = {name: leg_on_sphere(*ends).metres for name, ends in sorted(segments.items())}
    return {
        "metres_of_segments": {name: round(one, 1) for name, one in metres.items()},
        "ways": [
            {"segments": list(way.names), "metres": round(way.metres, 1)}
            for way in ways_of(segments, start, goal)
        ],
    }


def facts_of_offers(names: Sequence[str], offers: Sequence[Offer], fit: Sequence[int]) -> dict[str, Any]:
    """How far each place is, whether it is open then and has what is wished for; and which fulfil every wish."""
    told = {
        name: {"metres": round(one.metres, 1), "open": one.is_open, "has_wish": one.has_wish}
        for name, one in zip(names, offers, strict=True)
    }
    return {"places": told, "fulfil_every_wish": [names[place] for place in fit]}


def facts_of_roads(one: Sequence[Point], other: Sequence[Point]) -> dict[str, Any]:
    """Where two roads cross or meet, and in which directions they run."""
    edges = [edges_of(points, closed=False) for points in (one, other)]
    return {
        "crossings": crossings_of(*edges),
        "points_of_1_also_of_2": common_points(one, other),
        "bearings": [
            rounded_bearing(leg_on_sphere(points[0], points[-1]).bearing) for points in (one, other)
        ],
        NEAREST_POINTS: round(least_metres(one, other), 1),
    }


def facts_of_road_and_area(road: Sequence[Point], ring: Sequence[Point]) -> dict[str, Any]:
    """Which points of a road are inside an area or on corners of it, and how often it crosses the boundary."""
    return {
        "crossings": crossings_of(edges_of(road, closed=False), edges_of(ring, closed=True)),
        "points_of_road_inside": points_inside(road, ring),
        "points_of_road_on_corners": common_points(road, ring),
        NEAREST_POINTS: round(least_metres(road, ring), 1),
    }


def facts_of_areas(one: Sequence[Point], other: Sequence[Point]) -> dict[str, Any]:
    """Which corners of two areas are inside the other or common to both, and how often their boundaries cross."""
    edges = [edges_of(points, closed=True) for points in (one, other)]
    return {
        "crossings": crossings_of(*edges),
        "points_of_1_inside_2": points_inside(one, other),
        "points_of_2_inside_1": points_inside(other, one),
        "points_of_1_also_of_2": common_points(one, other),
        NEAREST_POINTS: round(least_metres(one, other), 1),
    }
