"""The order of a trip: exact while that is quick, good beyond; and what an order means for the clock."""

from typing import NamedTuple

from app.agent_tools.ordering.exact import MOST_EXACT, find_exact_order
from app.agent_tools.ordering.heuristic import find_good_order
from app.agent_tools.ordering.problem import NEVER, Legs, Order, Trip


class Timetable(NamedTuple):
    """When one gets to each stop of an order, when the stay there begins, and when one leaves again."""

    arrivals: tuple[int, ...]
    begins: tuple[int, ...]
    leavings: tuple[int, ...]
    latest_start: int | None
    """How much later one may leave the start and still keep the order in time; None if nothing limits it."""


def find_order(trip: Trip) -> Order | None:
    """The order to visit the stops of a trip in; None where one cannot get from the start to the end in time."""
    return find_exact_order(trip) if len(trip.stops) <= MOST_EXACT else find_good_order(trip)


def make_timetable(trip: Trip, order: Order) -> Timetable:
    """The times of an order that can be kept."""
    legs = Legs(trip)
    travel, now = legs.first, 0
    arrivals, begins, leavings = [], [], []
    for number in order.stops:
        arrivals.append(now + int(travel[number]))
        begins.append(int(trip.stops[number].begin_after(arrivals[-1])))
        now = begins[-1] + trip.stops[number].stay
        leavings.append(now)
        travel = legs.between[number]
    return Timetable(tuple(arrivals), tuple(begins), tuple(leavings), _find_latest_start(trip, legs, order))


def _find_latest_start(trip: Trip, legs: Legs, order: Order) -> int | None:
    until = NEVER - 1 if trip.until is None else trip.until
    if not order.stops:
        return until - legs.direct if trip.until is not None else None
    leaving = until - int(legs.last[order.stops[-1]])
    for number, before in zip(reversed(order.stops), [*reversed(order.stops[:-1]), None], strict=True):
        travel = legs.first[number] if before is None else legs.between[before, number]
        leaving = int(trip.stops[number].arrive_before(leaving)) - int(travel)
    return leaving if leaving < NEVER // 2 else None
