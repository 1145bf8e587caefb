"""A good order of many stops: each stop is put in where it costs least, then stops are moved while that helps.

Nothing is drawn at random: the same trip has the same order for ever.
"""

from collections.abc import Iterator, Sequence

from app.agent_tools.ordering.problem import NEVER, Legs, Order, Trip

MOST_ROUNDS = 100
"""Improvements after which an order counts as good."""


def find_good_order(trip: Trip) -> Order | None:
    """An order that visits many stops in time and is done early; None where no way to the end in time is found."""
    clock = _Clock(trip)
    order: tuple[int, ...] = ()
    for _ in range(MOST_ROUNDS):
        better = _best(clock, order, _insertions(order, len(trip.stops))) or _improve(clock, order)
        if better is None:
            break
        order = better
    done = clock.done(order)
    return Order(order, done, False) if done < NEVER else None


class _Clock:
    """When one is done, by order."""

    def __init__(self, trip: Trip) -> None:
        legs = Legs(trip)
        self._first, self._between = legs.first.tolist(), legs.between.tolist()
        self._last, self._direct = legs.last.tolist(), legs.direct
        self._stops = trip.stops
        self._until = NEVER - 1 if trip.until is None else trip.until

    def done(self, order: Sequence[int]) -> int:
        """When one is done; NEVER where it cannot be done in time."""
        if not order:
            return self._checked(self._direct)
        now, travel = 0, self._first
        for number in order:
            now = self._stops[number].leave_soon(now + travel[number])
            if now >= NEVER:
                return NEVER
            travel = self._between[number]
        return self._checked(now + self._last[order[-1]])

    def _checked(self, time: int) -> int:
        return time if time <= self._until else NEVER


def _improve(clock: _Clock, order: tuple[int, ...]) -> tuple[int, ...] | None:
    """The change that ends the trip earliest; None if no change ends it earlier."""
    better = _best(clock, order, _changes(order))
    return better if better is not None and clock.done(better) < clock.done(order) else None


def _best(clock: _Clock, order: tuple[int, ...], tried: Iterator[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The one that is done first, the first of several; None where none can be done."""
    done, best = min(((clock.done(one), one) for one in tried), default=(NEVER, order))
    return best if done < NEVER else None


def _insertions(order: tuple[int, ...], count: int) -> Iterator[tuple[int, ...]]:
    """The order with one stop more."""
    for number in sorted(set(range(count)) - set(order)):
        for place in range(len(order) + 1):
            yield (*order[:place], number, *order[place:])


def _changes(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The order with one stop at another place, or with a part of it turned round."""
    for place, number in enumerate(order):
        rest = (*order[:place], *order[place + 1 :])
        yield from ((*rest[:other], number, *rest[other:]) for other in range(len(order)) if other != place)
    for start in range(len(order)):
        for end in range(start + 2, len(order) + 1):
            yield (*order[:start], *reversed(order[start:end]), *order[end:])
