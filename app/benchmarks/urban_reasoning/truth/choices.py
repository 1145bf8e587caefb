"""Recommendation (RC): of several places the nearest that is near enough, open, and has what is wished for. Metres."""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, hypot, radians
from typing import NamedTuple

from app.benchmarks.urban_reasoning.truth.sphere import RADIUS_M, Point, leg_on_sphere

FEWEST = 2
"""How many places must fulfil every wish, so that the nearest of them is to be found."""


class Offer(NamedTuple):
    """What is known of a place: metres away, whether it is open then, and whether it has what is wished for."""

    metres: float
    is_open: bool
    has_wish: bool


def fitting(offers: Sequence[Offer], reach: float) -> list[int]:
    """The places in the list of those that fulfil every wish, the nearest first."""
    fit = [place for place, one in enumerate(offers) if one.metres <= reach and one.is_open and one.has_wish]
    return sorted(fit, key=lambda place: offers[place].metres)


def metres_off(point: Point, walk: Sequence[Point]) -> float:
    """How far a point is from a place, or from the straight lines of a walk, on a plane around the point."""
    if len(walk) == 1:
        return leg_on_sphere(walk[0], point).metres
    north = radians(1) * RADIUS_M
    east = north * cos(radians(point.lat))
    spots = [((one.lon - point.lon) * east, (one.lat - point.lat) * north) for one in walk]
    return min(_to_origin(*ends) for ends in pairwise(spots))


def _to_origin(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How far the origin is from the line between two spots."""
    x, y = other[0] - one[0], other[1] - one[1]
    length = x * x + y * y
    share = min(1.0, max(0.0, -(one[0] * x + one[1] * y) / length)) if length else 0.0
    return hypot(one[0] + share * x, one[1] + share * y)
