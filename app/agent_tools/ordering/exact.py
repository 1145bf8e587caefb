"""The best order of up to MOST_EXACT stops, by dynamic programming over sets of stops.

The recurrence is that of Held and Karp (1962, "A dynamic programming approach to sequencing problems"). The value of a
set and its last stop is the earliest time at which one can leave this stop. To be earlier is never worse: one may wait.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from app.agent_tools.ordering.problem import NEVER, Legs, Order, Stop, Times, Trip

MOST_EXACT = 15


def find_exact_order(trip: Trip) -> Order | None:
    """The order that visits the most stops in time; of several, the one that is done first.

    If there are still several, the one counts whose stops come first in the trip's list: its first stop has the lowest
    number that is possible, then its second, and so on. None where one cannot get from the start to the end in time.
    """
    legs, sizes = Legs(trip), _sizes(len(trip.stops))
    leaving = _find_earliest(trip.stops, legs, sizes)
    at_end = np.minimum((leaving[1:] + legs.last).min(axis=1, initial=NEVER), NEVER)
    done = np.concatenate(([legs.direct], at_end))
    in_time = done <= (NEVER - 1 if trip.until is None else trip.until)
    if not in_time.any():
        return None
    most = int(sizes[in_time].max())
    visited = in_time & (sizes == most)
    first = int(done[visited].min())
    sets = np.flatnonzero(visited & (done == first))
    return Order(_choose(trip.stops, legs, _find_latest(trip.stops, legs, sizes, first), sets), first, True)


def _sizes(count: int) -> Times:
    """How many stops each set has; a set is a number with one bit for each stop."""
    sets = np.arange(2**count, dtype=np.int64)
    return np.asarray(((sets[:, None] >> np.arange(count)) & 1).sum(axis=1))


def _find_earliest(stops: Sequence[Stop], legs: Legs, sizes: Times) -> Times:
    """By set (a row) and last stop: when one can leave that stop at the earliest, all of the set visited."""
    leaving = np.full((len(sizes), len(stops)), NEVER, dtype=np.int64)
    for last, stop in enumerate(stops):
        leaving[1 << last, last] = stop.leave_after(legs.first[last])
    for size in range(2, len(stops) + 1):
        sets = np.flatnonzero(sizes == size)
        for last, stop in enumerate(stops):
            with_last = sets[(sets >> last) & 1 == 1]
            before = leaving[with_last ^ (1 << last)]
            leaving[with_last, last] = stop.leave_after((before + legs.between[:, last]).min(axis=1))
    return leaving


def _find_latest(stops: Sequence[Stop], legs: Legs, sizes: Times, done: int) -> Times:
    """By set (a row) and stop: when one must leave the stop to visit all of the set and be done by a time."""
    leaving = np.full((len(sizes), len(stops)), -NEVER, dtype=np.int64)
    leaving[0] = _no_less(done - legs.last)
    for size in range(1, len(stops)):
        sets = np.flatnonzero(sizes == size)
        for following, stop in enumerate(stops):
            with_it = sets[(sets >> following) & 1 == 1]
            arrival = stop.arrive_before(leaving[with_it ^ (1 << following), following])
            by_stop = arrival[:, None] - legs.between[:, following]
            leaving[with_it] = np.maximum(leaving[with_it], _no_less(by_stop))
    return leaving


def _no_less(times: Times) -> Times:
    return np.maximum(times, -NEVER)


class _Choice(NamedTuple):
    """A stop that may come next, when one can leave it, and which sets may follow."""

    stop: int
    leaving: int
    sets: Times


def _choose(stops: Sequence[Stop], legs: Legs, latest: Times, sets: Times) -> tuple[int, ...]:
    """Stop by stop the one of the lowest number after which all others of one of the sets can still be visited."""
    order: list[int] = []
    travel, now = legs.first, 0
    while sets.any():
        chosen = next(_find_choices(stops, now + travel, latest, sets))
        order.append(chosen.stop)
        sets, travel, now = chosen.sets, legs.between[chosen.stop], chosen.leaving
    return tuple(order)


def _find_choices(stops: Sequence[Stop], arrivals: Times, latest: Times, sets: Times) -> Iterator[_Choice]:
    for number, stop in enumerate(stops):
        leaving = stop.leave_soon(int(arrivals[number]))
        others = sets[(sets >> number) & 1 == 1] ^ (1 << number)
        possible = others[latest[others, number] >= leaving]
        if len(possible):
            yield _Choice(number, leaving, possible)
