"""Answers questions about trips from the printed travel times, whole minutes, and the printed opening hours."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise

from app.benchmarks.mapeval.contexts.printed import Printed
from app.benchmarks.mapeval.contexts.reading import Asks, among, finds, spans_on
from app.questions.gold import NO_ANSWER

DAY = "2024-09-16"
"""Any day: times of the clock are reckoned on it."""
ARROW = " → "


def _ways(printed: Printed, asks: Asks, names: Sequence[str]) -> list[int]:
    """The minutes of the ways from place to place."""
    return [printed.travel(one, other, asks["by"]).minutes for one, other in pairwise(names)]


def _stays(asks: Asks, ways: Sequence[int]) -> int:
    """The minutes of the stays at all places between the start and the last one."""
    return int(asks["stay"]) * (len(ways) - 1)


def _clock(start: str, minutes: int) -> str:
    return f"{datetime.fromisoformat(f'{DAY}T{start}') + timedelta(minutes=minutes):%H:%M}"


@finds("Total_Travel_Time")
def total_travel_time(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The sum of the ways."""
    return among(options, [f"{sum(_ways(printed, asks, asks['places']))} minutes"])


@finds("Arrival_Time")
def arrival_time(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The departure, and all ways and stays after it."""
    ways = _ways(printed, asks, asks["places"])
    return among(options, [_clock(asks["departure"], sum(ways) + _stays(asks, ways))])


@finds("Latest_Departure")
def latest_departure(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The time by which one must be there, and all ways and stays before it."""
    ways = _ways(printed, asks, asks["places"])
    return among(options, [_clock(asks["deadline"], -sum(ways) - _stays(asks, ways))])


@finds("Places_In_Budget")
def places_in_budget(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """How many stays are over when the time is."""
    spent = accumulate(way + int(asks["stay"]) for way in _ways(printed, asks, asks["places"]))
    return among(options, [str(sum(minutes <= asks["budget"] for minutes in spent))])


@finds("Best_Order")
def best_order(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option whose order takes the least time."""
    start = asks["places"][0]
    orders = {option: [start, *option.split(ARROW)] for option in options if option != NO_ANSWER}
    return min(orders, key=lambda option: sum(_ways(printed, asks, orders[option])))


@finds("Meeting_Place")
def meeting_place(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The place at which the later one of the two is the soonest."""
    people = asks["places"][:2]
    places = [option for option in options if option != NO_ANSWER]
    return min(
        places, key=lambda place: max(printed.travel(one, place, asks["by"]).minutes for one in people)
    )


@finds("Visit_While_Open")
def visit_while_open(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The only place that is open from the arrival until the end of the stay."""
    right = [option for option in options if option != NO_ANSWER and _can_be_visited(printed, asks, option)]
    if len(right) != 1:
        raise ValueError(f"{len(right)} places can be visited")
    return right[0]


def _can_be_visited(printed: Printed, asks: Asks, place: str) -> bool:
    way = printed.travel(asks["places"][0], place, asks["by"]).minutes
    begin = datetime.fromisoformat(asks["moment"]) + timedelta(minutes=way)
    end = begin + timedelta(minutes=asks["stay"])
    spans = spans_on(printed, place, begin) or ()
    return any(opens <= f"{begin:%H:%M}" and f"{end:%H:%M}" <= closes for opens, closes in spans)
