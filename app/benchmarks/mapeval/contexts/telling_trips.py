"""What the contexts of questions about trips tell: travel times between places, and opening hours."""

from collections.abc import Sequence
from itertools import pairwise

from app.agent_tools.errors import ToolError
from app.benchmarks.mapeval.contexts.blocks import (
    BY_MODE,
    HOURS,
    Block,
    Line,
    Result,
    called,
    information,
    travel_line,
)
from app.benchmarks.mapeval.contexts.writing import Teller, Told, tells
from app.core import seeds
from app.questions.contexts import NoContext

Leg = tuple[int, int]
"""From which place to which, by their numbers from 0."""
FARTHEST = 2
"""Of a trip in a given order, ways are told between places that are so far apart in it at most, there and back."""
WHOSE_TIMES = (
    "Travel times are those of a route planner, without traffic: "
    "by car at the speed limits, else at usual speeds."
)
"""Stands above the travel times: nothing else in a context, or in an everyday text, says whose they are."""
PEOPLE = 2
"""Those who meet; likewise a start and a destination, which stand before other places."""


class _Trip:
    """The places of a trip, of which the names are asked for once."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self.keys = [*map(str, teller.asked.parameters["places"])]
        self.details = [teller.details(key) for key in self.keys]
        self.names = [called(one["place"]) for one in self.details]
        self.mode = str(teller.asked.binds["mode"])

    def tell(self, needed: Sequence[Leg], others: Sequence[Leg] = ()) -> Block:
        """The travel times of the ways, in the order of the places, below whose they are."""
        return [Line(WHOSE_TIMES), *self._lines(needed, others)]

    def _lines(self, needed: Sequence[Leg], others: Sequence[Leg]) -> Block:
        return [self._line(leg, leg in needed) for leg in sorted({*needed, *others})]

    def told(self, blocks: Sequence[Block], **more: object) -> Told:
        """The blocks, and what is asked of all trips."""
        asks = {"places": self.names, "by": BY_MODE[self.mode], **more}
        informed = len(blocks) > 1
        beside = () if informed else self.keys
        return Told([*blocks, *self._by_another_mode()], asks, self.keys[0], self.names, beside=beside)

    def _by_another_mode(self) -> Sequence[Block]:
        """How long one needs from place to place by a mode that is not asked about, where there are such ways."""
        asked = self._teller.asked
        others = [mode for mode in BY_MODE if mode != self.mode]
        mode = others[seeds.below(len(others), asked.seed, "another mode", asked.id)]
        found = [self._ask(leg, mode) for leg in pairwise(range(len(self.keys)))]
        lines = [travel_line(one) for one in found if one is not None]
        return [lines] if lines else []

    def _line(self, leg: Leg, needed: bool) -> Line:
        found = self._ask(leg, self.mode)
        if found is None:
            raise NoContext("no_way")
        return travel_line(found, needed)

    def _ask(self, leg: Leg, mode: str) -> Result | None:
        """How long a way takes; None where none leads there."""
        origin, destination = (self.keys[one] for one in leg)
        try:
            return self._teller.call("travel_time", origin=origin, destination=destination, mode=mode)
        except ToolError as error:
            if error.kind != "no_route":
                raise
            return None


def _ways_along(count: int) -> tuple[list[Leg], list[Leg]]:
    """The ways of a trip in a given order, and those that are told beside them."""
    near = [
        (one, other) for one in range(count) for other in range(count) if 0 < abs(one - other) <= FARTHEST
    ]
    return [*pairwise(range(count))], near


@tells("Total_Travel_Time", "Arrival_Time", "Latest_Departure", "Places_In_Budget")
def trip_in_order(teller: Teller) -> Told:
    """How long the ways from place to place take."""
    trip, binds = _Trip(teller), teller.asked.binds
    told = ("departure", "deadline", "stay", "budget")
    asks = {name: binds[name] for name in told if name in binds}
    return trip.told([trip.tell(*_ways_along(len(trip.keys)))], **asks)


@tells("Travel_Time_Between")
def one_way(teller: Teller) -> Told:
    """How long the way takes, and the way back."""
    trip = _Trip(teller)
    return trip.told([trip.tell([(0, 1)], [(1, 0)])])


@tells("Nearest_By_Travel")
def ways_from_the_start(teller: Teller) -> Told:
    """How long the way to each place takes, and the way back."""
    trip = _Trip(teller)
    needed = [(0, place) for place in range(1, len(trip.keys))]
    return trip.told([trip.tell(needed, [(place, 0) for _, place in needed])])


@tells("Fastest_Via", "Shortest_Via")
def ways_by_each(teller: Teller) -> Told:
    """How long the way to each place takes, and on to the destination; and the ways without them, there and back."""
    trip = _Trip(teller)
    by = range(PEOPLE, len(trip.keys))
    needed = [leg for place in by for leg in ((0, place), (place, 1))]
    return trip.told([trip.tell(needed, [(0, 1), (1, 0), *((place, 0) for place in by)])])


@tells("Landmark_Passed")
def ways_with_and_without(teller: Teller) -> Told:
    """The same; how long it takes without them matters, too."""
    trip = _Trip(teller)
    by = range(PEOPLE, len(trip.keys))
    needed = [(0, 1), *(leg for place in by for leg in ((0, place), (place, 1)))]
    return trip.told([trip.tell(needed, [(1, 0), *((place, 0) for place in by)])])


@tells("Best_Order")
def trip_in_any_order(teller: Teller) -> Told:
    """How long all ways take, but for those back to the start."""
    trip = _Trip(teller)
    count = len(trip.keys)
    needed = [(one, other) for one in range(count) for other in range(1, count) if one != other]
    return trip.told([trip.tell(needed, [(one, 0) for one in range(1, count)])])


@tells("Meeting_Place")
def ways_of_two_people(teller: Teller) -> Told:
    """How long each of the two needs to each place, and to the other one."""
    trip = _Trip(teller)
    needed = [(one, place) for one in range(PEOPLE) for place in range(PEOPLE, len(trip.keys))]
    return trip.told([trip.tell(needed, [(0, 1), (1, 0)])])


@tells("Visit_While_Open")
def ways_and_hours(teller: Teller) -> Told:
    """How long the way to each place takes, and when it is open."""
    trip, binds = _Trip(teller), teller.asked.binds
    needed = [(0, place) for place in range(1, len(trip.keys))]
    blocks = [information(one, [HOURS]) for one in trip.details[1:]]
    back = [(place, 0) for _, place in needed]
    return trip.told([trip.tell(needed, back), *blocks], moment=binds["moment"], stay=binds["stay"])
