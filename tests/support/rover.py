"""A chat endpoint that plays GeoRover by rules: it reads the question's words and the results of tools, and nothing else.

It keeps no state: each request is answered from its messages. It explores in the order of a square spiral, but saves calls:
it computes where a move leads, and does not look around a station where an earlier look already tells that a place that fits is
near it, by the triangle inequality.
"""

import json
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pyproj import Geod

from tests.support.turns_endpoint import Message, Turns, serving_turns

GEOD = Geod(ellps="WGS84")
CALLS = 19
STEP = 7_000
NEAR = 1_000
ROUNDING = 1
"""Metres by which distances in results are rounded, and to spare."""
Point = tuple[float, float]
KINDS: Sequence[tuple[str, str]] = (
    ("attraction|viewpoint", "attraction|theme park|viewpoint|zoo"),
    ("fast food", "fast food"),
    ("car wash|washed|wash", "car wash"),
    ("repair|garage|mechanic", "car repair"),
    ("restaurant", "restaurant"),
    ("café", "cafe"),
    (r"\bbar\b|\bpub\b", "bar|biergarten|nightclub|pub"),
    ("hotel|guest house|hostel", "guest house|hostel|hotel|motel"),
    ("supermarket", "supermarket"),
    ("convenience|kiosk", "convenience|kiosk"),
    ("bakery", "bakery|pastry"),
    ("mall|department store", "department store|mall"),
    ("sports|gym|fitness", "fitness centre|ice rink|sports centre|sports hall|stadium"),
    ("museum|gallery", "art gallery|gallery|museum"),
    ("cinema|theatre", "cinema|theatre"),
    (r"\bpark\b|garden", "garden|park"),
    ("bank", "bank"),
    ("pharmacy", "pharmacy"),
    ("doctor|clinic|hospital", "clinic|doctor|doctors|hospital"),
    ("hairdresser|beauty|barber", "beauty|hairdresser"),
    (r"\bspa\b|sauna|massage", "massage|sauna|spa"),
    ("school|college|university", "college|school|university"),
    ("library", "library"),
    ("post office", "post office"),
    ("town hall|government|office of", "government|townhall"),
)
"""What words of a question mean, the first that stands in it: the types of places that fit."""
_POINT = re.compile(r"(-?\d+\.\d+), ?(-?\d+\.\d+)")
_RESULT = re.compile(r"<result>\n(.*)\n</result>", re.DOTALL)


class Station(NamedTuple):
    metres: float
    id: str
    name: str
    point: Point


class Look(NamedTuple):
    """Where it looked around, and how far from there the places that fit are."""

    point: Point
    fitting: tuple[float, ...]


Plan = Generator[dict[str, Any], list[dict[str, Any]], list[Station]]


@contextmanager
def serving_rover() -> Iterator[Turns]:
    """The endpoint at work."""
    with serving_turns(say_by_rules) as turns:
        yield turns


def say_by_rules(body: dict[str, Any]) -> Message:
    """The next message of a conversation."""
    _, asked, *rest = body["messages"]
    told = [_RESULT.search(one["content"]) for one in rest if one["role"] == "user"]
    plan = explore(*read_question(asked["content"]))
    try:
        call = next(plan)
        for one in told:
            assert one is not None, rest[-1]
            call = plan.send(json.loads(one[1]))
    except StopIteration as end:
        return {"content": _say(end.value)}
    return {"content": json.dumps(call)}


def read_question(text: str) -> tuple[Point, frozenset[str]]:
    """Where the driver is, and the types of places that fit; what follows the question, a note, is left out."""
    found = _POINT.search(text)
    assert found, text
    said = text.split("Answer from")[0].replace("charging station", "")
    kinds = next((kinds for words, kinds in KINDS if re.search(words, said)), None)
    assert kinds, text
    return (float(found[1]), float(found[2])), frozenset(kinds.split("|"))


def explore(user: Point, kinds: frozenset[str]) -> Plan:
    """The calls that it makes, and the stations that it names."""
    centre, directions, calls = user, _spiral(), 0
    seen: dict[str, Station] = {}
    looks: list[Look] = []
    found: list[Station] = []
    while calls < CALLS and len(found) < 3:
        calls += 1
        told = yield {"tool_name": "Search_Stations", "coord": list(centre)}
        for station in sorted(_read_station(one, user) for one in told if one["station_id"] not in seen):
            seen[station.id] = station
            if len(found) == 3:
                continue
            if not is_known_to_fit(station, looks):
                if calls == CALLS:
                    continue
                calls += 1
                around = yield {"tool_name": "Search_Nearby_POI", "coord": list(station.point)}
                look = Look(
                    station.point,
                    tuple(
                        _metres(one["poi_distance"]) for one in around if kinds & set(one["type"].split("; "))
                    ),
                )
                looks.append(look)
                if not look.fitting:
                    continue
            found.append(station)
        lon, lat, _ = GEOD.fwd(*centre, next(directions), STEP)
        centre = (round(lon, 7), round(lat, 7))
    others = [one for one in sorted(seen.values()) if one not in found]
    return sorted(found) + others[: max(0, 3 - len(found))]


def is_known_to_fit(station: Station, looks: Sequence[Look]) -> bool:
    """Whether an earlier look saw a place that fits so near to it that it must be within reach of this station."""
    return any(
        look.fitting and min(look.fitting) + _apart(look.point, station.point) + ROUNDING <= NEAR
        for look in looks
    )


def _spiral() -> Iterator[int]:
    length = 1
    while True:
        yield from [0] * length + [90] * length
        yield from [180] * (length + 1) + [270] * (length + 1)
        length += 2


def _read_station(told: dict[str, Any], user: Point) -> Station:
    lon, lat = map(float, told["coord"].split(","))
    return Station(_apart(user, (lon, lat)), told["station_id"], told["station_name"], (lon, lat))


def _metres(said: str) -> float:
    return float(said.removesuffix(" meters"))


def _apart(one: Point, other: Point) -> float:
    _, _, metres = GEOD.inv(*one, *other)
    return float(metres)


def _say(stations: Sequence[Station]) -> str:
    return json.dumps(
        [
            {
                "station_id": one.id,
                "station_name": one.name,
                "station_location": list(one.point),
                "station_distance": f"{one.metres / 1000:.3f} km",
            }
            for one in stations
        ]
    )
