"""Answers questions about routes from the steps that are printed."""

import re
from collections.abc import Sequence
from itertools import groupby

from app.benchmarks.mapeval.contexts.printed import Printed
from app.benchmarks.mapeval.contexts.reading import Asks, among, finds
from app.core.names import normal_form

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
