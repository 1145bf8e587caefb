"""The blocks of which contexts are made: what is known of a place, lists of places around one, routes, and times. Pure.

Coordinates are latitude, longitude in degrees with four decimals, as MapEval prints them; distances are whole metres.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from app.agent_tools.instructions import RouteStep, find_longest_road
from app.agent_tools.saying import say_minutes
from app.questions.derivations.hours import DAYS, read_week

DECIMALS = 4
LOCATION = "location"
_DAYS, _SPAN = f"(?:{'|'.join(DAYS)})", r"\d\d:\d\d-\d\d:\d\d"
HOURS = "opening_hours"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SIMPLE_HOURS = re.compile(
    rf"({_DAYS}(?:[-,]{_DAYS})* {_SPAN}(?:, ?{_SPAN})*)(?:; ?{_DAYS}(?:[-,]{_DAYS})* {_SPAN}(?:, ?{_SPAN})*)*"
)
"""Hours that are days with times and nothing else; others are printed as OpenStreetMap writes them."""
UNTOLD = frozenset({"website", "wikidata", "wikipedia", "level"})
"""Attributes that contexts leave out: they lead out of the map, or say little."""

BY_MODE: Mapping[str, str] = {"car": "by car", "foot": "on foot", "bicycle": "by cycle"}
"""How MapEval prints that one travels."""


class Line(NamedTuple):
    """A line of a context, and whether the answer needs it."""

    text: str
    needed: bool = False


Block = Sequence[Line]
Result = Mapping[str, Any]
"""The result of a tool, as JSON."""


def point_text(place: Result) -> str:
    """`47.1410, 9.5209`: latitude, longitude."""
    return f"{place['lat']:.{DECIMALS}f}, {place['lon']:.{DECIMALS}f}"


def attribute_word(key: str) -> str:
    """How a context calls an attribute: `Opening hours`, `Diet vegan`."""
    return key.replace("_", " ").replace(":", " ").capitalize()


def called(place: Result) -> str:
    """The name of a place; a place without one is called by its type."""
    name = " ".join(str(place.get("name") or "").split())
    return name or f"({str(place['type']).replace('_', ' ')} without a name)"


def information(details: Result, needed: Collection[str] = ()) -> Block:
    """What place_details says of a place. `needed` are attributes, or LOCATION, that the answer needs."""
    place = details["place"]
    lines = [Line(f"Information of {called(place)}:", bool(needed))]
    lines.append(Line(f"- Type: {', '.join(kind.replace('_', ' ') for kind in details['types'])}."))
    address = place.get("address")
    where = f"{address} ({point_text(place)})" if address else point_text(place)
    lines.append(Line(f"- Location: {where}.", LOCATION in needed))
    lines += [
        Line(f"- {_say_attribute(key, value)}.", key in needed)
        for key, value in details["attributes"].items()
        if key not in UNTOLD
    ]
    return lines


def _say_attribute(key: str, value: str) -> str:
    week = read_week(value) if key == HOURS and _SIMPLE_HOURS.fullmatch(value) else None
    if week is None:
        return f"{attribute_word(key)}: {value}"
    days = [f"{day} {_say_spans(spans)}" for day, spans in zip(WEEKDAYS, week.spans, strict=True)]
    return f"Open: {'; '.join(days)}"


def _say_spans(spans: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{_clock(start)} to {_clock(end)}" for start, end in spans) or "closed"


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def sought_in(found: Result) -> str:
    """What a list is of: the type, and what its places have: `restaurant`, `cafe with wheelchair yes`."""
    having = [f"{attribute_word(key).lower()} {value}" for key, value in found["attributes"].items()]
    return str(found["sought"]).replace("_", " ") + (f" with {' and '.join(having)}" if having else "")


def heading_of_list(sought: str, around: str, radius_m: float | None) -> str:
    """The first line of a list of places around one."""
    within = "" if radius_m is None else f" within {radius_m:g} m"
    return f"Nearby places of the type {sought!r} around {around}{within}, the nearest first:"


def nearby_list(found: Result, needed: int = 0) -> Block:
    """What nearby lists around a place. The answer needs the heading and the first `needed` places."""
    heading = heading_of_list(sought_in(found), found["position"]["name"], found.get("radius_m"))
    lines = [Line(heading, needed > 0)]
    lines += [
        Line(
            f"{number}. {called(place)}, {place['distance_m']:.0f} m ({point_text(place)})", number <= needed
        )
        for number, place in enumerate(found["places"], 1)
    ]
    return lines if found["places"] else [*lines, Line("There are none.", needed > 0)]


def routes_block(found: Result) -> Block:
    """The routes that directions tells, the fastest first, step by step. The answer needs the first of them."""
    count = len(found["routes"])
    ends = f"from {called(found['origin'])} to {called(found['destination'])} {BY_MODE[found['mode']]}"
    heading = (
        f"There is 1 route {ends}. It is:" if count == 1 else f"There are {count} routes {ends}. They are:"
    )
    lines = [Line(heading, True)]
    for number, route in enumerate(found["routes"], 1):
        steps = [RouteStep.model_validate(step) for step in route["steps"]]
        via = find_longest_road(steps) or "roads without a name"
        took, length = say_minutes(route["seconds"]), f"{route['distance_m'] / 1000:.1f} km"
        lines.append(Line(f"{number}. Via {via} | {took} | {length}", number == 1))
        lines += [Line(f" - {step.said}", number == 1) for step in steps]
    return lines


def travel_line(found: Result, needed: bool = False) -> Line:
    """What travel_time says of a way: whole minutes, and kilometres with one decimal."""
    ends = f"from {called(found['origin'])} to {called(found['destination'])}"
    length = f"{found['distance_m'] / 1000:.1f} km"
    took = say_minutes(found["seconds"])
    return Line(f"Travel Time {ends} {BY_MODE[found['mode']]} is {took} ({length}).", needed)
