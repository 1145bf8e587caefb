"""Planning (PN): the shortest order of places of which only the legs from one to the next are told.

Positions are worked out on a plane, leg by leg from the start, as the paper's prompt asks for; all orders are tried.
"""

from collections.abc import Sequence
from itertools import pairwise, permutations
from math import cos, dist, radians, sin
from typing import NamedTuple

from app.benchmarks.urban_reasoning.truth.sphere import Leg

LEAST_SHARE = 0.01
"""What share of its length the best order must be shorter by than any other."""

Spot = tuple[float, float]
"""East and north of the start, in metres."""


class Order(NamedTuple):
    """An order of visits, as places' numbers from 0, the start; and its length in metres."""

    places: tuple[int, ...]
    metres: float


def spots_of(legs: Sequence[Leg]) -> list[Spot]:
    """Where the places lie that legs lead to one after the other; the start first."""
    spots = [(0.0, 0.0)]
    for leg in legs:
        east, north = spots[-1]
        spots.append(
            (east + leg.metres * sin(radians(leg.bearing)), north + leg.metres * cos(radians(leg.bearing)))
        )
    return spots


def orders_of(spots: Sequence[Spot]) -> list[Order]:
    """All orders that begin at the start and end anywhere, the shortest first."""
    rest = range(1, len(spots))
    orders = [Order((0, *one), _length((0, *one), spots)) for one in permutations(rest)]
    return sorted(orders, key=lambda order: (order.metres, order.places))


def best_order(legs: Sequence[Leg]) -> Order | None:
    """The shortest order; None where another one is hardly longer."""
    best, second, *_ = orders_of(spots_of(legs))
    return best if second.metres >= best.metres * (1 + LEAST_SHARE) else None


def _length(places: Sequence[int], spots: Sequence[Spot]) -> float:
    return sum(dist(spots[one], spots[other]) for one, other in pairwise(places))
