"""Answers questions about routes from the steps, and from the travel times, that are printed."""

import re
from collections.abc import Sequence
from itertools import groupby

from app.benchmarks.mapeval.contexts.printed import Printed
from app.benchmarks.mapeval.contexts.reading import Asks, among, finds
from app.core.names import normal_form
from app.questions.gold import NO_ANSWER

RANKS = ("first", "second", "third", "fourth", "fifth")
_STEP = re.compile(r"(.*?)\. Go on for .*")
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


@finds("Travel_Time_Between")
def travel_time_between(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The printed minutes of the way."""
    origin, destination = asks["places"]
    return among(options, [f"{printed.travel(origin, destination, asks['by']).minutes} minutes"])


@finds("Nearest_By_Travel")
def nearest_by_travel(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option with the fewest printed minutes."""
    places = [option for option in options if option != NO_ANSWER]
    return min(places, key=lambda place: printed.travel(asks["places"][0], place, asks["by"]).minutes)
