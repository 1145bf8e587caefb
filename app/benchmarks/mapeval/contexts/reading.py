"""Answers the questions from their printed contexts alone, with the rounded numbers that stand there.

Straight lines are great circles on a sphere of 6,371,008.8 m, as somebody would reckon them with the haversine formula;
the questions' margins are wider than what this and the rounding change.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.benchmarks.mapeval.contexts.printed import Position, Printed, read_printed
from app.core.names import normal_form
from app.questions.contexts import reads_contexts
from app.questions.gold import NO_ANSWER

DIRECTIONS = ("north", "east", "south", "west")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EARTH_RADIUS = 6_371_008.8
"""Metres: the mean radius of the Earth (IUGG)."""
Asks = Mapping[str, Any]
Finding = Callable[[Printed, Asks, Sequence[str]], str]
FINDING: dict[str, Finding] = {}
"""By the id of a template: the text of the right option."""


def finds(*templates: str) -> Callable[[Finding], Finding]:
    """Register the decorated function as what answers these templates' questions."""

    def register(function: Finding) -> Finding:
        for template in templates:
            FINDING[template] = function
        return function

    return register


@reads_contexts("mapeval")
def read_answer(template: str, text: str, asks: Asks, options: Sequence[str] | None) -> Mapping[str, Any]:
    """The text of the option to which the context leads. Raises ValueError where it leads to none."""
    if template not in FINDING:
        raise ValueError(f"contexts of {template} are not read")
    return {"text": FINDING[template](read_printed(text), asks, options or [])}


def haversine(one: Position, other: Position) -> float:
    """Metres on the sphere."""
    lat, further_lat = math.radians(one.lat), math.radians(other.lat)
    lon = math.radians(other.lon - one.lon)
    a = (
        math.sin((further_lat - lat) / 2) ** 2
        + math.cos(lat) * math.cos(further_lat) * math.sin(lon / 2) ** 2
    )
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(a))


def kilometres_of(option: str) -> float:
    """The number of an option such as `2.37 km`; raises ValueError for another one."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) km", option)
    if found is None:
        raise ValueError(f"{option!r} is no distance in kilometres")
    return float(found[1])


def among(options: Sequence[str], names: Sequence[str]) -> str:
    """The first of the names that is an option."""
    shown = {normal_form(option): option for option in options}
    found = next((shown[normal_form(name)] for name in names if normal_form(name) in shown), None)
    if found is None:
        raise ValueError("no option is listed")
    return found


@finds("Straight_Line_Distance")
def straight_line_distance(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The distance that is nearest to the one between the printed points."""
    metres = haversine(printed.position(asks["origin"]), printed.position(asks["destination"]))
    numbers = {option: kilometres_of(option) for option in options if option.endswith(" km")}
    return min(numbers, key=lambda option: abs(math.log(numbers[option] * 1000 / metres)))


def bearing(origin: Position, destination: Position) -> float:
    """Degrees clockwise of north at the origin, on the sphere."""
    lat, further_lat = math.radians(origin.lat), math.radians(destination.lat)
    lon = math.radians(destination.lon - origin.lon)
    east = math.sin(lon) * math.cos(further_lat)
    north = math.cos(lat) * math.sin(further_lat) - math.sin(lat) * math.cos(further_lat) * math.cos(lon)
    return math.degrees(math.atan2(east, north)) % 360


def _aside(azimuth: float, direction: str) -> float:
    """How many degrees an azimuth lies aside of a main direction."""
    return abs((azimuth - 90 * DIRECTIONS.index(direction) + 180) % 360 - 180)


@finds("Direction_From")
def direction_from(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The main direction that is nearest to the azimuth between the printed points."""
    azimuth = bearing(printed.position(asks["origin"]), printed.position(asks["destination"]))
    offered = [option for option in options if option in DIRECTIONS]
    return min(offered, key=lambda option: _aside(azimuth, option))


def _places_in(printed: Printed, options: Sequence[str]) -> dict[str, Position]:
    """Where the options are that are places, by their texts."""
    return {option: printed.position(option) for option in options if option != NO_ANSWER}


@finds("Landmark_In_Direction")
def landmark_in_direction(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option that lies the least aside of the direction."""
    anchor = printed.position(asks["anchor"])
    places = _places_in(printed, options)
    return min(places, key=lambda option: _aside(bearing(anchor, places[option]), asks["direction"]))


@finds("Closest_Pair", "Farthest_Pair")
def pair(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The pair whose printed points are nearest to each other, or farthest from each other."""
    apart = {
        f"{one} and {other}": haversine(printed.position(one), printed.position(other))
        for one, other in asks["pairs"]
    }
    choose = max if asks["extreme"] == "farthest" else min
    return among(options, [choose(apart, key=lambda names: apart[names])])


@finds("Lies_Between")
def lies_between(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option over which the way from end to end is the shortest."""
    origin, destination = printed.position(asks["origin"]), printed.position(asks["destination"])
    places = _places_in(printed, options)
    return min(places, key=lambda one: haversine(origin, places[one]) + haversine(places[one], destination))


def spans_on(printed: Printed, name: str, moment: datetime) -> Sequence[tuple[str, str]] | None:
    """From when until when the place is open on that weekday, as printed; None where no hours are."""
    told = printed.places.get(normal_form(name))
    if told is None or "Open" not in told.attributes:
        return None
    days = dict(day.split(" ", 1) for day in told.attributes["Open"].split("; "))
    return re.findall(r"(\d\d:\d\d) to (\d\d:\d\d)", days[WEEKDAYS[moment.weekday()]])


def _is_open(printed: Printed, name: str, moment: datetime) -> bool | None:
    """Whether the printed hours of the weekday hold the time of the day; None where no hours are printed."""
    spans, time = spans_on(printed, name, moment), f"{moment:%H:%M}"
    return None if spans is None else any(start <= time < end for start, end in spans)


@finds("Open_At")
def open_at(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """Whether the place is open by its printed hours."""
    opened = _is_open(printed, asks["place"], datetime.fromisoformat(asks["moment"]))
    if opened is None:
        raise ValueError(f"the context does not say when {asks['place']} is open")
    return among(options, ["yes" if opened else "no"])


@finds("Open_Nearby")
def open_nearby(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option that names the listed places that are open by their printed hours, the nearest first."""
    moment = datetime.fromisoformat(asks["moment"])
    listed = printed.nearby(asks["kind"], asks["anchor"], asks["radius_m"]).places
    opened = [one.name for one in listed if _is_open(printed, one.name, moment)]
    return among(
        options, [", ".join(opened[:-1]) + " and " + opened[-1] if len(opened) > 1 else "".join(opened)]
    )


@finds("Attribute_Of")
def attribute_of(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The option that is what the context says of the place."""
    said = printed.place(asks["place"]).attributes.get(asks["attribute"])
    if said is None:
        raise ValueError(f"the context does not tell the {asks['attribute']} of {asks['place']}")
    return among(options, [said])


@finds("Nearest_Of_Type", "Nearest_With")
def nearest_of_type(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The first of the list, which must be an option."""
    listed = printed.nearby(asks["kind"], asks["anchor"]).places
    return among(options, [one.name for one in listed[:1]])


@finds("Kth_Nearest")
def nearest_of_rank(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """The one that has the rank in the list."""
    listed = printed.nearby(asks["kind"], asks["anchor"]).places
    return among(options, [one.name for one in listed[asks["rank"] - 1 : asks["rank"]]])


@finds("Count_Within")
def count_within(printed: Printed, asks: Asks, options: Sequence[str]) -> str:
    """How many places are listed within the distance."""
    listed = printed.nearby(asks["kind"], asks["anchor"], asks["radius_m"]).places
    return among(options, [str(len(listed))])
