"""Prediction (PR): which of several places somebody is bound for whose way so far is told.

The paper gives no rule. Here the destination lies within 30° of the last heading and of the heading from the start to
the last point, and every other candidate 60° or more off the last heading: behind, or well to the side.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.truth.sphere import Point, angle_between, leg_on_sphere

MOST_OFF, LEAST_OFF = 30.0, 60.0
"""Degrees that the destination may be off at most, and every other candidate must be off at least."""


class Bound(NamedTuple):
    """How a candidate lies to the way so far: metres from the last point, and degrees off the headings."""

    metres: float
    off_last: float
    off_overall: float

    def is_ahead(self) -> bool:
        """Whether the candidate can be the destination."""
        return max(self.off_last, self.off_overall) <= MOST_OFF

    def is_off(self) -> bool:
        """Whether the candidate clearly is not."""
        return self.off_last >= LEAST_OFF


def bounds_of(way: Sequence[Point], candidates: Sequence[Point]) -> list[Bound]:
    """How each candidate lies to a way of two points or more."""
    last = leg_on_sphere(way[-2], way[-1]).bearing
    overall = leg_on_sphere(way[0], way[-1]).bearing
    legs = [leg_on_sphere(way[-1], one) for one in candidates]
    return [
        Bound(leg.metres, angle_between(leg.bearing, last), angle_between(leg.bearing, overall))
        for leg in legs
    ]


def destination_of(way: Sequence[Point], candidates: Sequence[Point]) -> int | None:
    """The place in the candidates of the only one ahead; None where several may be, or none is."""
    bounds = bounds_of(way, candidates)
    ahead = [place for place, one in enumerate(bounds) if one.is_ahead()]
    off = sum(one.is_off() for one in bounds)
    return ahead[0] if len(ahead) == 1 and off == len(bounds) - 1 else None
