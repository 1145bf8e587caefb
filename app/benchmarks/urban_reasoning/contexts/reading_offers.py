"""The best of five places from the printed data alone: no map, no gold. Metres."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from app.benchmarks.urban_reasoning.contexts.reading import (
    EARTH_M,
    Asks,
    Options,
    Position,
    finds,
    read_position,
)

DAYS = "Mo Tu We Th Fr Sa Su".split()
SAYS = {
    "wheelchair": r"Wheelchairs get in without help\.|A wheelchair gets in easily\.",
    "outdoor_seating": r"One can sit outside\.",
    "takeaway": r"Food can (?:only )?be taken away\.",
    "diet:vegetarian": r"There are vegetarian dishes\.|All dishes are vegetarian\.",
    "internet_access": r"Guests have wireless internet\.",
}
"""By wish what a review says where it is fulfilled."""
_OPTION = re.compile(
    r"Option: (?P<name>.*) (?P<coordinates>\(-?[\d.]+, -?[\d.]+\)); [a-z ]+(?:; cuisine: (?P<cuisine>.*))?"
    r"; open: (?P<opening_hours>.*); synthetic review: (?P<synthetic_review>.*)"
)


@finds("Recommendation_Near", "Recommendation_On_Walk")
def recommendation(text: str, asks: Asks, options: Options) -> Mapping[str, Any]:
    """The nearest of the places that are near enough, open, and have what is wished for."""
    walk, places = _told_in(text)
    if {*(options or ())} != {place["name"] for place in places}:
        raise ValueError("the places are not the options")
    far = {
        place["name"]: _metres(read_position(place["coordinates"]), walk)
        for place in places
        if is_open(place["opening_hours"], asks["moment"]) and _has(place, asks["wish"])
    }
    near = {name: metres for name, metres in far.items() if metres <= asks["reach"]}
    if not near:
        raise ValueError("no place fulfils every wish")
    return {"text": min(near, key=near.__getitem__)}


def _told_in(text: str) -> tuple[list[Position], list[Mapping[str, Any]]]:
    if text.startswith("{"):
        told = json.loads(text)
        start = told.get("walk") or told["position"]
        return [read_position(one) for one in start["points"]], told["options"]
    lines = text.split("\n")
    points = lines[1].partition(": ")[2].split(" → ")
    return [read_position(one) for one in points], [
        match.groupdict() for line in lines if (match := _OPTION.fullmatch(line))
    ]


def _metres(place: Position, walk: Sequence[Position]) -> float:
    """From a place to the nearest point of the walk, whose lines are looked at in steps of a thousandth."""
    east = math.cos(place.lat)
    spots = [complex((one.lon - place.lon) * east, one.lat - place.lat) * EARTH_M for one in walk]
    if len(spots) == 1:
        return abs(spots[0])
    return min(
        abs(one + (other - one) * step / 1000) for one, other in pairwise(spots) for step in range(1001)
    )


def is_open(hours: str, moment: str) -> bool:
    """Whether a place with these hours is open at a time; the last rule that names the day counts."""
    time = datetime.fromisoformat(moment)
    day, spans = time.weekday(), ""
    for rule in re.split("; ?", hours):
        days, _, said = rule.partition(" ")
        if any(_holds(part, day) for part in days.split(",")):
            spans = said
    clock = f"{time:%H:%M}"
    return any(start <= clock < end for start, end in re.findall(r"(\d\d:\d\d)-(\d\d:\d\d)", spans))


def _holds(days: str, day: int) -> bool:
    first, last = DAYS.index(days[:2]), DAYS.index(days[-2:])
    return first <= day <= last if first <= last else not last < day < first


def _has(place: Mapping[str, Any], wish: str) -> bool:
    if wish.startswith("cuisine "):
        return wish.removeprefix("cuisine ").replace("_", " ") in (place.get("cuisine") or "").split(", ")
    return re.search(SAYS[wish], place["synthetic_review"]) is not None
