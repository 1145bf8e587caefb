"""What the rule-based agent reads in answers of the tool set `mapeval`, and what it works out of them by itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from opening_hours import OpeningHours
from pyproj import Geod

_KEY = re.compile(r"[nwr]\d+")
_TITLE = re.compile(r"^Information of (.+):$", re.MULTILINE)
_LINE = re.compile(r"^- ([^:]+): (.+?)\.?$", re.MULTILINE)
_POINT = r"\((-?[\d.]+), (-?[\d.]+)\)"
_LISTED = re.compile(rf"^\d+\. (.+?)(?: \| .+?)? {_POINT} \| ([nwr]\d+)$", re.MULTILINE)
_GEOD = Geod(ellps="WGS84")
_DIRECTIONS = ("north", "east", "south", "west")
MOST = 20
"""Places that a list has at most."""


class Point(NamedTuple):
    """A position in degrees."""

    lat: float
    lon: float


@dataclass(frozen=True)
class Details:
    """What is known of a place; `lines` by their names in small letters."""

    name: str
    point: Point
    lines: Mapping[str, str]


class Near(NamedTuple):
    """A place of a list, the nearest first."""

    name: str
    key: str
    point: Point

    @property
    def has_name(self) -> bool:
        """Whether it is called by a name, not by its type and id."""
        return self.key not in self.name


def read_key(said: str) -> str | None:
    """The id of the place that a search found; None where it found nothing."""
    return said if _KEY.fullmatch(said) else None


def read_details(said: str) -> Details | None:
    """The details of a place; None where they are not told."""
    title, point = _TITLE.search(said), re.search(rf"^- Location: .*{_POINT}\.$", said, re.MULTILINE)
    if title is None or point is None:
        return None
    lines = {name.lower(): value for name, value in _LINE.findall(said)}
    return Details(title[1], Point(float(point[1]), float(point[2])), lines)


def read_nearby(said: str) -> list[Near]:
    """The places of a list, in its order."""
    return [Near(name, key, Point(float(lat), float(lon))) for name, lat, lon, key in _LISTED.findall(said)]


def metres_between(one: Point, other: Point) -> float:
    """Geodesic metres."""
    return float(_GEOD.inv(one.lon, one.lat, other.lon, other.lat)[2])


def direction_to(here: Point, there: Point) -> str:
    """The main direction in which a place lies from another."""
    degrees = float(_GEOD.inv(here.lon, here.lat, there.lon, there.lat)[0]) % 360
    return _DIRECTIONS[round(degrees / 90) % 4]


def is_open(details: Details, time: str) -> bool | None:
    """Whether a place is open at a local time; None where its hours are not told, or cannot be read."""
    hours = details.lines.get("open") or details.lines.get("opening hours")
    if hours is None:
        return None
    try:
        read = OpeningHours("24/7" if hours == "Open 24 hours" else hours)
    except (ValueError, SyntaxError):
        return None
    return bool(read.is_open(datetime.fromisoformat(time)))
