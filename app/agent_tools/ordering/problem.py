"""A trip to be ordered, and what a stop asks for. Times are whole units since one leaves the start."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int64]
NEVER = 2**60
"""Later than any time that is reached; twice of it is a number, too."""


class Window(NamedTuple):
    """A time from `start` to `end` in which a stay may happen."""

    start: int
    end: int


class Stop:
    """How long one stays at a stop, and when the whole stay must happen; None if any time will do."""

    def __init__(self, stay: int = 0, windows: Sequence[Window] | None = None) -> None:
        self.stay = stay
        merged = [Window(-NEVER, NEVER - 1 + stay)] if windows is None else _merge(windows)
        self.begins = [Window(one.start, one.end - stay) for one in merged if one.end - one.start >= stay]
        self._from = np.array([one.start for one in self.begins], dtype=np.int64)
        self._to = np.array([one.end for one in self.begins], dtype=np.int64)

    def leave_soon(self, arrival: int) -> int:
        """As `leave_after`, of one time: quicker than an array of one."""
        window = bisect_left(self.begins, arrival, key=lambda one: one.end)
        if arrival >= NEVER or window == len(self.begins):
            return NEVER
        return max(arrival, self.begins[window].start) + self.stay

    def leave_after(self, arrivals: Any) -> Any:
        """When one can leave at the earliest, by the time of arrival; NEVER where the stay cannot happen any more."""
        return np.where(arrivals < NEVER, np.minimum(self.begin_after(arrivals) + self.stay, NEVER), NEVER)

    def begin_after(self, arrivals: Any) -> Any:
        """When the stay begins at the earliest; one waits for a window."""
        window = np.searchsorted(self._to, arrivals, side="left")
        opening = np.append(self._from, NEVER)[window]
        return np.where(window < len(self._to), np.maximum(arrivals, opening), NEVER)

    def arrive_before(self, leaving: Any) -> Any:
        """When one must have arrived at the latest, to leave by a time; -NEVER where no window is early enough."""
        begin = leaving - self.stay
        window = np.searchsorted(self._from, begin, side="right")
        closing = np.append(-NEVER, self._to)[window]
        return np.where(window > 0, np.minimum(begin, closing), -NEVER)


class Trip(NamedTuple):
    """From a start to stops, and to an end if there is one."""

    travel: Sequence[Sequence[int | None]]
    """From each of start, stops and end to each of them; None where no way leads."""
    stops: Sequence[Stop]
    has_end: bool = False
    until: int | None = None
    """When one must be done: at the end, or after the last stay."""


class Order(NamedTuple):
    """Which stops are visited, one after the other, and when one is done."""

    stops: tuple[int, ...]
    """By their numbers in the trip, from 0 on."""
    done: int
    exact: bool
    """Whether no other order visits more stops, or as many in less time."""


class Legs:
    """The times of a trip as arrays, NEVER where no way leads."""

    def __init__(self, trip: Trip) -> None:
        self._table = np.array(
            [[NEVER if one is None else one for one in row] for row in trip.travel], dtype=np.int64
        )
        self.count = len(trip.stops)
        self._has_end = trip.has_end

    @property
    def first(self) -> Times:
        """From the start to each stop."""
        return self._table[0, 1 : self.count + 1]

    @property
    def between(self) -> Times:
        """From each stop (a row) to each stop."""
        return self._table[1 : self.count + 1, 1 : self.count + 1]

    @cached_property
    def last(self) -> Times:
        """From each stop to the end; nothing where there is none."""
        return self._table[1 : self.count + 1, -1] if self._has_end else np.zeros(self.count, dtype=np.int64)

    @property
    def direct(self) -> int:
        """From the start to the end; nothing where there is none."""
        return int(self._table[0, -1]) if self._has_end else 0


def _merge(windows: Sequence[Window]) -> list[Window]:
    """The same times in order, without overlaps."""
    merged: list[Window] = []
    for one in sorted(windows):
        if merged and one.start <= merged[-1].end:
            merged[-1] = Window(merged[-1].start, max(merged[-1].end, one.end))
        elif one.end >= one.start:
            merged.append(one)
    return merged
