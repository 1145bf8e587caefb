"""The tool plan_trip: in which order to visit places, and when one gets to each of them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo

from pydantic import BaseModel, Field

from app.agent_tools.errors import ToolError
from app.agent_tools.hours import open_spans, read_hours, read_hours_of_map, shown_time, zone_of
from app.agent_tools.matrices import Cells, find_all
from app.agent_tools.opening import hours_of
from app.agent_tools.ordering.problem import NEVER, Order, Stop, Trip, Window
from app.agent_tools.ordering.solving import find_order, make_timetable
from app.agent_tools.places import Place, find_place, tell_apart
from app.agent_tools.registry import tool
from app.agent_tools.roads import SAID, RoadEnd, RoadResult, Roads, say_off_road
from app.agent_tools.saying import say_time
from app.agent_tools.scope import Scope
from app.agent_tools.trip_arguments import AskedStop, TripArguments

UNITS = 10
"""Of a second: travel times are known to 0.1 s."""
HOURS_READ = timedelta(hours=24)
"""Opening hours count for so long from the start on, if nothing says when the trip must be over."""
ALWAYS_OPEN = "24/7"


class PlannedStop(BaseModel):
    """A stop that is visited. Times are local times at the start of the trip."""

    number: int = Field(description="which of the stops that were given, from 1 on")
    place: RoadEnd
    travel_s: float = Field(description="seconds on the way to it")
    arrival: str
    begin: str = Field(description="when the stay begins, after a wait if need be")
    leave: str


class LeftOut(BaseModel):
    """A stop that is not visited, and why."""

    number: int
    place: RoadEnd
    reason: str


class TripResult(RoadResult):
    """The trip: its stops in the order of the visits."""

    start: RoadEnd
    start_time: str
    stops: list[PlannedStop]
    left_out: list[LeftOut]
    end: RoadEnd | None
    end_time: str = Field(description="when the trip is over: at the end, or after the last stay")
    travel_s: float = Field(description="seconds on the way in all")
    exact: bool = Field(description="true: no order is better; false: a good order, as there are many stops")
    latest_start: str | None = Field(
        None,
        description="when one may leave at the latest and still keep this order; null if nothing limits it",
    )

    def sentence(self) -> str:
        """The answer in words."""
        kind = "best" if self.exact else "good (heuristic)"
        visited = [self.start, *(one.place for one in self.stops), *([self.end] if self.end else [])]
        called = tell_apart([*visited, *(one.place for one in self.left_out)])
        lines = [f"The {kind} order {SAID[self.mode]}, leaving {called(self.start)} at {self.start_time}:"]
        for place, one in enumerate(self.stops, 1):
            begin = f", from {one.begin}" if one.begin != one.arrival else ""
            lines.append(
                f"{place}. {called(one.place)} (stop {one.number}): {say_time(one.travel_s)} on the way, "
                f"there at {one.arrival}{begin}, until {one.leave}"
            )
        lines += [
            f"Not visited: {called(one.place)} (stop {one.number}). {one.reason}" for one in self.left_out
        ]
        at_end = f" at {called(self.end)}" if self.end else ""
        lines.append(
            f"The trip is over{at_end} at {self.end_time}; {say_time(self.travel_s)} are on the way."
        )
        lines += [f"One may leave at {self.latest_start} at the latest."] if self.latest_start else []
        return "\n".join(lines) + say_off_road(*visited)


@tool(TripArguments, TripResult)
def plan_trip(scope: Scope, wanted: TripArguments) -> TripResult:
    """Find the best order in which to visit places: from a start to up to 25 stops, with stays, times at which a stop
    can be visited (its opening hours, too), and an end. As many stops are visited as can be in time, and the trip
    is over as early as it can be; the best of all orders is found for up to 15 stops, a good one for more."""
    roads = Roads(scope, wanted.mode)
    ends = find_all(roads, [wanted.start, *(one.place for one in wanted.stops), *filter(None, [wanted.end])])
    places, end = ends[1 : len(wanted.stops) + 1], ends[-1] if wanted.end else None
    _refuse_doubles(places)
    clock = _Clock(ends[0], wanted.start_time)
    seconds = roads.measure_matrix(ends, ends)
    trip = Trip(
        _in_units(seconds),
        [clock.read_stop(scope, one, wanted.until) for one in wanted.stops],
        end is not None,
        None if wanted.until is None else clock.units(wanted.until),
    )
    order = find_order(trip)
    if order is None:
        raise _refuse_end(trip, clock, roads)
    return TripResult(
        **roads.identity,
        start=ends[0],
        start_time=shown_time(datetime.fromisoformat(wanted.start_time)),
        end=end,
        left_out=[
            LeftOut(number=one + 1, place=places[one], reason=_explain(trip, one, clock))
            for one in range(len(places))
            if one not in order.stops
        ],
        exact=order.exact,
        **_time_stops(trip, order, clock, places),
    )


class _Clock:
    """Turns local times at the start of a trip into units since it begins, and back."""

    def __init__(self, start: RoadEnd, start_time: str) -> None:
        place = Place(id=start.id or "", type="start", lat=start.lat, lon=start.lon)
        local = datetime.fromisoformat(start_time)
        self._zone: tzinfo | None = zone_of(read_hours(ALWAYS_OPEN, place), local)
        self._start = self._moment(start_time)

    def units(self, local: str) -> int:
        """Units from the start of the trip to a local time."""
        return self._units(self._moment(local))

    def shown(self, units: int) -> str:
        """The local time so many units after the start, to the second."""
        moment = self._start.astimezone(UTC) + timedelta(seconds=round(units / UNITS))
        return moment.astimezone(self._zone).replace(tzinfo=None).isoformat(timespec="seconds")

    def read_stop(self, scope: Scope, asked: AskedStop, until: str | None) -> Stop:
        """What a stop asks for. Raises ToolError where its opening hours count, and the map has none."""
        windows = None
        if asked.when_open:
            windows = self._find_open(scope, asked.place, until)
        elif asked.windows is not None:
            windows = [Window(self.units(one.start), self.units(one.end)) for one in asked.windows]
        return Stop(round(asked.stay_minutes * 60 * UNITS), windows)

    def _find_open(self, scope: Scope, key: str, until: str | None) -> list[Window]:
        hours = read_hours_of_map(hours_of(scope, key), find_place(scope, key).place)
        last = self._moment(until) if until else self._start + HOURS_READ
        return [Window(*map(self._units, span)) for span in open_spans(hours, self._start, last)]

    def _moment(self, local: str) -> datetime:
        return datetime.fromisoformat(local).replace(tzinfo=self._zone)

    def _units(self, moment: datetime) -> int:
        return round((moment.astimezone(UTC) - self._start.astimezone(UTC)).total_seconds() * UNITS)


def _time_stops(trip: Trip, order: Order, clock: _Clock, places: Sequence[RoadEnd]) -> dict[str, object]:
    """The fields of a result that tell the times of an order."""
    table = make_timetable(trip, order)
    left = (0, *table.leavings)
    travels = [arrival - leaving for arrival, leaving in zip(table.arrivals, left, strict=False)]
    stops = [
        PlannedStop(
            number=number + 1,
            place=places[number],
            travel_s=travels[place] / UNITS,
            arrival=clock.shown(table.arrivals[place]),
            begin=clock.shown(table.begins[place]),
            leave=clock.shown(table.leavings[place]),
        )
        for place, number in enumerate(order.stops)
    ]
    return {
        "stops": stops,
        "end_time": clock.shown(order.done),
        "travel_s": (sum(travels) + order.done - left[-1]) / UNITS,
        "latest_start": None if table.latest_start is None else clock.shown(table.latest_start),
    }


def _in_units(seconds: Cells) -> list[list[int | None]]:
    return [[None if one is None else round(one * UNITS) for one in row] for row in seconds]


def _refuse_doubles(places: Sequence[RoadEnd]) -> None:
    first: dict[tuple[float, float], int] = {}
    for number, one in enumerate(places, 1):
        before = first.setdefault((one.lat, one.lon), number)
        if before != number:
            raise ToolError(f"Stops {before} and {number} are the same place: give each stop once.")


def _refuse_end(trip: Trip, clock: _Clock, roads: Roads) -> ToolError:
    if trip.travel[0][-1] is None:
        return ToolError(f"No way leads from the start to the end {roads.said}.", "no_route")
    direct = clock.shown(trip.travel[0][-1])
    return ToolError(
        f"The end is reached at {direct} at the earliest, which is later than until.", "no_route"
    )


def _explain(trip: Trip, number: int, clock: _Clock) -> str:
    """Why a stop is left out: it cannot be visited even alone, or not together with the others."""
    stop, there, back = trip.stops[number], trip.travel[0][number + 1], trip.travel[number + 1][-1]
    if there is None:
        return "No way leads there from the start."
    if trip.has_end and back is None:
        return "No way leads from there to the end."
    if not stop.begins:
        return "No time at which it can be visited is as long as the stay."
    leaving = stop.leave_soon(there)
    if leaving >= NEVER:
        arrival, last = clock.shown(there), clock.shown(stop.begins[-1].end)
        return f"One is there at {arrival} at the earliest, and the stay must begin by {last}."
    done = leaving + (back or 0 if trip.has_end else 0)
    if trip.until is not None and done > trip.until:
        return f"Even if nothing else is visited, the trip is over at {clock.shown(done)}, which is later than until."
    return "It can be visited in time, but not together with the others."
