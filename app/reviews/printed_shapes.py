"""What a question's text prints of the map: points, lines, boundaries, and legs by bearing and distance. Degrees. Pure.

Coordinates are latitude, then longitude, as (47.14123, 9.52012) or 47°08'28"N 9°31'12"E; the longitude comes first
where the words "longitude, latitude" stand right before the brackets. Other text is left out.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

LONGEST_LABEL = 32
METRES_A_DEGREE = 111_195.0
"""Of latitude, on the sphere of the mean radius: maps of a review need no more."""
_TOLD = r"longitude, latitude \((?P<x>-?\d{1,3}\.\d{1,8}), (?P<y>-?\d{1,2}\.\d{1,8})\)"
_DECIMAL = r"\((?P<lat>-?\d{1,2}\.\d{3,8}), (?P<lon>-?\d{1,3}\.\d{3,8})\)"
_SEXAGESIMAL = (
    r"(?P<d1>\d{1,2})°(?P<m1>\d{1,2})'(?P<s1>\d{1,2})\"(?P<h1>[NS]) "
    r"(?P<d2>\d{1,3})°(?P<m2>\d{1,2})'(?P<s2>\d{1,2})\"(?P<h2>[EW])"
)
_POINT = re.compile(f"{_TOLD}|{_DECIMAL}|{_SEXAGESIMAL}")
_LEG = re.compile(
    r"^- From (?P<start>.{1,200}) to (?P<end>.{1,200}): "
    r"(?P<bearing>\d{1,3}\.\d+) degrees \([NESW]{1,3}\), (?P<km>\d+\.\d+) km$"
)
_DOCUMENT = re.compile(r"^\{$.*?^\}$", re.MULTILINE | re.DOTALL)


class Spot(NamedTuple):
    """A point in degrees."""

    lat: float
    lon: float


class Shape(NamedTuple):
    """A point, a line or, if `closed`, a boundary, with what it is called."""

    label: str
    spots: Sequence[Spot]
    closed: bool = False


def shapes_in(text: str) -> list[Shape]:
    """The shapes that a text prints, each once, in its order."""
    found: list[Shape] = []
    for document in _DOCUMENT.findall(text):
        try:
            found += _in_document(json.loads(document), "")
        except ValueError:
            continue
    for line in _DOCUMENT.sub("", text).split("\n"):
        found += _in_line(line)
    return list(dict.fromkeys([*found, *_told_by_legs(text)]))


def _in_line(line: str) -> Iterator[Shape]:
    """A line with points is one shape; what stands before the first of them is its label."""
    points = list(_POINT.finditer(line))
    if points:
        label = line[: points[0].start()].strip(" -:,(")
        spots = tuple(map(_spot, points))
        yield Shape(_short(label), spots, _is_closed(spots) or label.lower().startswith("area "))


def _in_document(value: Any, label: str) -> Iterator[Shape]:
    """An object's own texts with points are one shape, called by its `name`; objects within it are others."""
    if isinstance(value, dict):
        name = value.get("name")
        called = name if isinstance(name, str) else label
        points = [point for one in value.values() for point in _points_of(one)]
        if points:
            spots = tuple(points)
            yield Shape(_short(called), spots, _is_closed(spots) or value.get("kind") == "area")
        for one in value.values():
            yield from _in_document(one, called)
    elif isinstance(value, list):
        for one in value:
            if not isinstance(one, str):
                yield from _in_document(one, label)


def _points_of(value: Any) -> Iterator[Spot]:
    texts: Iterable[Any] = value if isinstance(value, list) else [value]
    for one in texts:
        if isinstance(one, str):
            yield from map(_spot, _POINT.finditer(one))


def _told_by_legs(text: str) -> Iterator[Shape]:
    """Places of which legs alone are told: drawn one after the other from (0, 0), on a plane."""
    spots: dict[str, Spot] = {}
    legs = [*_legs_in_lines(text), *_legs_in_documents(text)]
    for start, end, bearing, kilometres in legs:
        origin = spots.setdefault(start, Spot(0.0, 0.0))
        angle, degrees = math.radians(bearing), 1000 * kilometres / METRES_A_DEGREE
        spots[end] = Spot(origin.lat + degrees * math.cos(angle), origin.lon + degrees * math.sin(angle))
        yield Shape("", (origin, spots[end]))
    for name, spot in spots.items():
        yield Shape(_short(name), (spot,))


def _legs_in_lines(text: str) -> Iterator[tuple[str, str, float, float]]:
    for line in text.split("\n"):
        if leg := _LEG.match(line):
            yield leg["start"], leg["end"], float(leg["bearing"]), float(leg["km"])


def _legs_in_documents(text: str) -> Iterator[tuple[str, str, float, float]]:
    for document in _DOCUMENT.findall(text):
        try:
            told = json.loads(document).get("legs", [])
            legs = [
                (str(one["from"]), str(one["to"]), one["bearing_degrees"], one["distance_km"]) for one in told
            ]
            yield from ((start, end, float(bearing), float(km)) for start, end, bearing, km in legs)
        except (ValueError, KeyError, TypeError):
            continue


def _spot(found: re.Match[str]) -> Spot:
    if found["x"] is not None:
        return Spot(float(found["y"]), float(found["x"]))
    if found["lat"] is not None:
        return Spot(float(found["lat"]), float(found["lon"]))
    lat, lon = (
        int(found[f"d{place}"]) + int(found[f"m{place}"]) / 60 + int(found[f"s{place}"]) / 3600
        for place in (1, 2)
    )
    return Spot(-lat if found["h1"] == "S" else lat, -lon if found["h2"] == "W" else lon)


def _is_closed(spots: Sequence[Spot]) -> bool:
    return len(spots) > 3 and spots[0] == spots[-1]


def _short(label: str) -> str:
    clean = " ".join(label.split())
    return clean if len(clean) <= LONGEST_LABEL else clean[: LONGEST_LABEL - 1].rstrip() + "…"
