"""Answers questions about routes from the steps, and from the travel times, that are printed."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from app.benchmarks.mapeval.contexts.printed import Printed, Travelled
from app.benchmarks.mapeval.contexts.reading import Asks, among, finds
from app.core.names import normal_form
from app.questions.gold import NO_ANSWER

RANKS = ("first", "second", "third", "fourth", "fifth")
MOST_LONGER = 2
"""Minutes by which the way by a place that is passed may seem longer, since three times are rounded."""
_STEP = re.compile(r"(.*?)\. Go on for .*")
_BEGINNINGS = {
    "left turns": ("Turn left", "Turn sharply left"),
    "right turns": ("Turn right", "Turn sharply right"),
    "roundabouts": ("At the roundabout,",),
}
_ROAD = re.compile(r"(?:Head \w+ on|[^.]*? onto) (.+)")


def _roads(printed: Printed, asks: Asks) -> list[str]:
    """The roads of the fastest way in their order; one that goes on is there once."""
    told = [_STEP.fullmatch(step) for step in printed.route(asks["origin"], asks["destination"], "by car")]
    named = [road[1] for one in told if one and (road := _ROAD.fullmatch(one[1]))]
    return [next(ones) for _, ones in groupby(named, key=normal_form)]


@finds("Road_On_Route")
def road_on_route(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The road of the rank."""
    rank = RANKS.index(asks["ordinal"])
    return among(options, _roads(printed, asks)[rank : rank + 1])


@finds("Next_Step")
def next_step(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """What is done at the step after the last one along the road."""
    steps = [
        told[1] if (told := _STEP.fullmatch(step)) else step
        for step in printed.route(asks["origin"], asks["destination"], "by car")
    ]
    along = [
        number
        for number, done in enumerate(steps)
        if (road := _ROAD.fullmatch(done)) and normal_form(road[1]) == normal_form(asks["after"])
    ]
    if not along:
        raise ValueError(f"the route does not follow {asks['after']}")
    return among(options, steps[along[-1] + 1 :][:1])


@finds("Count_On_Route")
def count_on_route(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """How many steps begin as such turns do, slight ones left out."""
    steps = printed.route(asks["origin"], asks["destination"], "by car")
    count = sum(step.startswith(_BEGINNINGS[asks["counted"]]) for step in steps)
    return among(options, [str(count)])


@finds("Travel_Time_Between")
def travel_time_between(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The printed minutes of the way."""
    origin, destination = asks["places"]
    return among(options, [f"{printed.travel(origin, destination, asks['by']).minutes} minutes"])


@finds("Fastest_Via")
def fastest_via(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option by way of which the printed minutes are the fewest together."""
    return _least_by(printed, asks, options, lambda told: told.minutes)


@finds("Landmark_Passed")
def landmark_passed(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option by way of which it takes hardly longer than the printed direct way."""
    origin, destination = asks["places"][:2]
    best = _least_by(printed, asks, options, lambda told: told.minutes)
    by = (
        printed.travel(origin, best, asks["by"]).minutes
        + printed.travel(best, destination, asks["by"]).minutes
    )
    if by > printed.travel(origin, destination, asks["by"]).minutes + MOST_LONGER:
        raise ValueError(f"the way by {best} is printed as much longer than the direct one")
    return best


@finds("Shortest_Via")
def shortest_via(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option by way of which the printed kilometres are the fewest together."""
    return _least_by(printed, asks, options, lambda told: told.kilometres)


def _least_by(
    printed: Printed, asks: Asks, options: Sequence[str], number: Callable[[Travelled], float]
) -> str:
    origin, destination = asks["places"][:2]
    totals = {
        place: number(printed.travel(origin, place, asks["by"]))
        + number(printed.travel(place, destination, asks["by"]))
        for place in options
        if place != NO_ANSWER
    }
    best, second = sorted(totals, key=totals.__getitem__)[:2]
    if totals[best] == totals[second]:
        raise ValueError(f"the ways by {best} and by {second} are printed as equal")
    return best


@finds("Nearest_By_Travel")
def nearest_by_travel(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option with the fewest printed minutes."""
    places = [option for option in options if option != NO_ANSWER]
    return min(places, key=lambda place: printed.travel(asks["places"][0], place, asks["by"]).minutes)
