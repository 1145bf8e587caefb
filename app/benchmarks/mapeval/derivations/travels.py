"""Travel times between the places of a trip, in whole minutes as they are printed, and the rules that all trips share.

Rows have the column `seconds`: how long it takes to each place of the trip, by its number from 0; None where no way
leads. A time is refused that other measuring might round otherwise: routers differ by some seconds.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from app.questions.alike import is_related
from app.questions.derivations.base import Row
from app.questions.derivations.plans import JSON, call, found, result, search

Leg = tuple[int, int]
"""From which place to which, by their numbers from 0."""
MINUTE = 60


class Travels(NamedTuple):
    """The travel times of a question, and the bounds that its template sets."""

    rows: Sequence[Row]
    margins: Mapping[str, float]

    def seconds(self, legs: Iterable[Leg]) -> float:
        """How long these ways take together."""
        return float(sum(self.rows[one]["seconds"][other] for one, other in legs))

    def minutes(self, legs: Iterable[Leg]) -> int:
        """The sum of the printed minutes of these ways."""
        return sum(whole_minutes(self.seconds([leg])) for leg in legs)

    def fault_of(self, legs: Iterable[Leg]) -> str | None:
        """Why nothing may be asked that stands on these ways."""
        if any(is_related(one, other) for one, other in combinations(names_of(self.rows), 2)):
            return "near_duplicate"
        took = [self.rows[one]["seconds"][other] for one, other in legs]
        if any(seconds is None for seconds in took):
            return "no_way"
        if any(whole_minutes(seconds) < self.margins["shortest"] for seconds in took):
            return "too_close"
        if any(whole_minutes(seconds) > self.margins["longest"] for seconds in took):
            return "long_way"
        if any(abs(seconds % MINUTE - MINUTE / 2) < self.margins["half_seconds"] for seconds in took):
            return "near_rounding"
        return None

    def sums_differ(self, legs: Sequence[Leg]) -> bool:
        """Whether the sum of the printed minutes may not be the printed sum."""
        return abs(self.seconds(legs) - MINUTE * self.minutes(legs)) > self.margins["sum_seconds"]


def whole_minutes(seconds: float) -> int:
    """Minutes as contexts print them: rounded, one at least."""
    return max(1, round(seconds / MINUTE))


def in_order(count: int) -> list[Leg]:
    """The ways from place to place, one after the other."""
    return [*pairwise(range(count))]


def clock_text(minute: float) -> str:
    """A minute of a day as a time: `09:05`."""
    return f"{int(minute) // 60 % 24:02d}:{int(minute) % 60:02d}"


def minute_of(clock: str) -> int:
    """The minute of the day of `09:05`."""
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)


def names_of(rows: Sequence[Row]) -> list[str]:
    """The names of the places, each in one line."""
    return [" ".join(row["name"].split()) for row in rows]


def search_all(rows: Sequence[Row]) -> tuple[list[JSON], list[JSON]]:
    """The calls that find the places by their names, and the places as later calls take them."""
    names = names_of(rows)
    return [search(name) for name in names], [found(number, name=name) for number, name in enumerate(names)]


def travel_legs(places: Sequence[JSON], legs: Sequence[Leg], mode: str) -> tuple[list[JSON], list[JSON]]:
    """The calls that tell how long each way takes, and the minutes that follow from their results.

    The calls stand behind those that find the places.
    """
    calls = [
        call("travel_time", origin=places[one], destination=places[other], mode=mode) for one, other in legs
    ]
    return calls, [{"$minutes": result(len(places) + number, "seconds")} for number in range(len(legs))]
