"""Answers from the printed context alone: no map, no gold. Metres and degrees.

The document is read where the context is JSON, else its lines.
"""

import itertools
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.questions.contexts import reads_contexts

EARTH_M = 6_371_008.8
Asks = Mapping[str, Any]
Options = Sequence[str] | None
Finding = Callable[[str, Asks, Options], Mapping[str, Any]]
_FINDING: dict[str, Finding] = {}
_LINE = re.compile(r"- (?P<name>.*): (?P<text>[^:]*)")
_CANDIDATE = re.compile(r"Candidate: (?P<name>.*) (?P<text>\([^()]*\))")
_DECIMAL = re.compile(r"\((-?\d+\.\d+), (-?\d+\.\d+)\)")
_SEXAGESIMAL = re.compile(r"""(\d+)°(\d+)'(\d+)"([NS]) (\d+)°(\d+)'(\d+)"([EW])""")


class Position(NamedTuple):
    """A point in radians."""

    lat: float
    lon: float


def finds(*templates: str) -> Callable[[Finding], Finding]:
    """Register the decorated function as what answers these templates' questions."""

    def register(function: Finding) -> Finding:
        _FINDING.update(dict.fromkeys(templates, function))
        return function

    return register


@reads_contexts("urban_reasoning")
def read_context(template: str, text: str, asks: Asks, options: Options) -> Mapping[str, Any]:
    """The answer to a question. Raises ValueError where the context leads to none."""
    return _FINDING[template](text, asks, options)


def positions_in(text: str) -> dict[str, Position]:
    """Where the places are, by their names."""
    if text.startswith("{"):
        told = {one["name"]: one["coordinates"] for one in json.loads(text)["places"]}
    else:
        told = {found["name"]: found["text"] for line in text.split("\n") if (found := _LINE.fullmatch(line))}
    return {name: read_position(written) for name, written in told.items()}


def read_position(written: str) -> Position:
    """A point in either notation; raises ValueError for another text."""
    if found := _DECIMAL.fullmatch(written):
        return Position(*(math.radians(float(one)) for one in found.groups()))
    if found := _SEXAGESIMAL.fullmatch(written):
        parts = found.groups()
        return Position(*(_radians(parts[start : start + 4]) for start in (0, 4)))
    raise ValueError(f"{written!r} is no point")


def _radians(parts: Sequence[str]) -> float:
    degrees, minutes, seconds, letter = parts
    size = int(degrees) + int(minutes) / 60 + int(seconds) / 3600
    return math.radians(-size if letter in "SW" else size)


def _both(text: str, asks: Asks) -> tuple[Position, Position]:
    positions = positions_in(text)
    missing = [name for name in asks.values() if name not in positions]
    if missing:
        raise ValueError(f"the context tells nothing of {missing[0]!r}")
    return positions[asks["origin"]], positions[asks["destination"]]


@finds("Distance")
def distance(text: str, asks: Asks, _: Options) -> Mapping[str, Any]:
    """By the haversine formula."""
    one, other = _both(text, asks)
    lat, lon = (other.lat - one.lat) / 2, (other.lon - one.lon) / 2
    a = math.sin(lat) ** 2 + math.cos(one.lat) * math.cos(other.lat) * math.sin(lon) ** 2
    return {"distance": 2 * EARTH_M * math.atan2(math.sqrt(a), math.sqrt(1 - a))}


@finds("Direction")
def direction(text: str, asks: Asks, _: Options) -> Mapping[str, Any]:
    """The initial bearing of the great circle."""
    return {"azimuth": bearing(*_both(text, asks))}


def bearing(one: Position, other: Position) -> float:
    """Degrees clockwise from north in which a point lies from another."""
    lon = other.lon - one.lon
    east = math.sin(lon) * math.cos(other.lat)
    north = math.cos(one.lat) * math.sin(other.lat) - math.sin(one.lat) * math.cos(other.lat) * math.cos(lon)
    return math.degrees(math.atan2(east, north)) % 360


@finds("Visiting_Order")
def visiting_order(text: str, asks: Asks, _: Options) -> Mapping[str, Any]:
    """By all orders of the places, whose points on a plane follow from the legs."""
    names = asks["places"]
    spots = {names[0]: (0.0, 0.0)}
    for start, end, bearing, kilometres in _legs_in(text, names):
        east, north = spots[start]
        angle, metres = math.radians(bearing), 1000 * kilometres
        spots[end] = (east + metres * math.sin(angle), north + metres * math.cos(angle))
    orders = [(names[0], *rest) for rest in itertools.permutations(names[1:])]
    lengths = [
        sum(math.dist(spots[one], spots[other]) for one, other in itertools.pairwise(order))
        for order in orders
    ]
    shortest = min(range(len(orders)), key=lengths.__getitem__)
    return {"order": list(orders[shortest]), "length": lengths[shortest]}


def _legs_in(text: str, names: Sequence[str]) -> list[tuple[str, str, float, float]]:
    """Start, end, bearing and kilometres of each leg. Names may have any words, so that known ones are looked for."""
    if text.startswith("{"):
        told = json.loads(text)["legs"]
        return [
            (one["from"], one["to"], float(one["bearing_degrees"]), float(one["distance_km"])) for one in told
        ]
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    leg = re.compile(rf"- From ({known}) to ({known}): (\d+\.\d\d) degrees \([NESW]+\), (\d+\.\d\d) km")
    found = [leg.fullmatch(line) for line in text.split("\n")]
    if None in found:
        raise ValueError("a line tells no leg")
    return [(one[1], one[2], float(one[3]), float(one[4])) for one in found if one]


@finds("Destination")
def destination(text: str, asks: Asks, options: Options) -> Mapping[str, Any]:
    """The candidate that is the least off the last heading."""
    way, candidates = _way_in(text) if text.startswith("{") else _way_in_lines(text)
    if not options or {*options} != {*candidates}:
        raise ValueError("the candidates are not the options")
    heading, end = bearing(*way[-2:]), way[-1]

    def off(name: str) -> float:
        return abs((bearing(end, candidates[name]) - heading + 180) % 360 - 180)

    return {"text": min(candidates, key=off)}


def _way_in(text: str) -> tuple[list[Position], dict[str, Position]]:
    """The points of the way and the candidates of a document."""
    told = json.loads(text)
    ends = [told["legs"][0]["from"], *(leg["to"] for leg in told["legs"])]
    return [read_position(one["coordinates"]) for one in ends], {
        one["name"]: read_position(one["coordinates"]) for one in told["candidates"]
    }


def _way_in_lines(text: str) -> tuple[list[Position], dict[str, Position]]:
    """The points of the way and the candidates of lines; a leg ends with the point that it leads to."""
    lines = text.split("\n")
    legs = [list(_DECIMAL.finditer(line)) for line in lines if line.startswith("Leg ")]
    ends = [legs[0][0], *(found[-1] for found in legs)]
    named = [found for line in lines if (found := _CANDIDATE.fullmatch(line))]
    return [read_position(end[0]) for end in ends], {one["name"]: read_position(one["text"]) for one in named}
