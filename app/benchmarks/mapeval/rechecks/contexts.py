"""The context of a published question → places, lists of nearby places, travel times. Pure.

A context is text with a little HTML (<b>) and unusual blanks inside times. What is none of the known blocks is passed
over.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape

from app.benchmarks.mapeval.rechecks.opening import Hours, read_hours

_BLANKS = re.compile(r"[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_COORDINATES = r"\(\s*(?P<lat>-?[0-9]{1,2}(?:\.[0-9]+)?)\s*,\s*(?P<lon>-?[0-9]{1,3}(?:\.[0-9]+)?)\s*\)"
_INFORMATION = re.compile(r"Information of (?:<b>)?(?P<name>.+?)(?:</b>)?\s*:\s*")
_NEARBY = re.compile(
    r"Nearby (?P<kind>.+?) of (?P<anchor>.+?)(?: of type \"(?P<type>[^\"]+)\")? are "
    r"\((?P<order>sorted by distance in ascending order|in (?P<radius>[0-9.]+) ?m radius)\)\s*:\s*"
)
_LISTED = re.compile(rf"(?P<rank>[0-9]+)\.\s*<b>(?P<name>.*?)</b>\s*(?:{_COORDINATES})?\s*")
_LOCATION = re.compile(rf".*{_COORDINATES}\.?\s*")
_DETAIL = re.compile(r"\s*- (?P<what>Location|Open|Rating|Address): (?P<said>.*)")
_RATING = re.compile(r"([0-5](?:\.[0-9]+)?)\b")
_TRAVEL = re.compile(
    r"Travel Time from (?P<start>.+) to (?P<end>.+) (?P<mode>by car|on foot|by cycle|by public transport) is "
    r"(?P<time>.+?) \((?P<length>.+?)\)\.?\s*"
)
_DURATION = re.compile(r"(?:([0-9]+) days?)?\s*(?:([0-9]+) hours?)?\s*(?:([0-9]+) mins?)?")


@dataclass
class ListedPlace:
    """A place of a context: degrees on WGS84, rating from 1 to 5; None for what the context does not say."""

    name: str
    lat: float | None = None
    lon: float | None = None
    rating: float | None = None
    hours: Hours | None = None

    @property
    def is_placed(self) -> bool:
        """Whether its coordinates are known."""
        return self.lat is not None and self.lon is not None


@dataclass
class NearbyList:
    """Places of a kind around another place, from the nearest where `is_sorted`, else within `radius` metres."""

    kind: str
    anchor: str
    is_sorted: bool
    radius: float | None
    places: list[ListedPlace] = field(default_factory=list)


@dataclass(frozen=True)
class ReadContext:
    """What was read; `travel` gives minutes by (start, end, mode)."""

    places: Sequence[ListedPlace]
    lists: Sequence[NearbyList]
    travel: Mapping[tuple[str, str, str], int]

    @property
    def placed(self) -> list[ListedPlace]:
        """The places whose coordinates the context tells, each once."""
        return [one for one in self.places if one.is_placed]


def read_context(text: str) -> ReadContext:
    """The blocks of a context."""
    places: dict[str, ListedPlace] = {}
    lists: list[NearbyList] = []
    travel: dict[tuple[str, str, str], int] = {}
    current: ListedPlace | None = None
    within: NearbyList | None = None
    for line in _lines(text):
        if found := _INFORMATION.fullmatch(line):
            within, name = None, found["name"].strip()
            current = places.setdefault(name, ListedPlace(name))
        elif found := _NEARBY.fullmatch(line):
            kind = found["type"] or found["kind"]
            radius = None if found["radius"] is None else float(found["radius"])
            within, current = NearbyList(kind, _plain(found["anchor"]), radius is None, radius), None
            lists.append(within)
        elif within is not None and (found := _LISTED.fullmatch(line)):
            current = ListedPlace(_plain(found["name"]), *_position(found))
            within.places.append(current)
        elif found := _TRAVEL.fullmatch(line):
            within = current = None
            if (minutes := _minutes(found["time"])) is not None:
                travel[_plain(found["start"]), _plain(found["end"]), found["mode"]] = minutes
        elif current is not None and (found := _DETAIL.fullmatch(line)):
            _take_detail(current, found["what"], found["said"])
        elif line.strip() and not line.startswith((" ", "-")):
            within = current = None
    return ReadContext(list(places.values()), lists, travel)


def _lines(text: str) -> Iterator[str]:
    return (unescape(line) for line in _BLANKS.sub(" ", text).split("\n"))


def _plain(text: str) -> str:
    return re.sub(r"</?b>", "", text).strip()


def _position(found: re.Match[str]) -> tuple[float | None, float | None]:
    if found["lat"] is None:
        return None, None
    lat, lon = float(found["lat"]), float(found["lon"])
    return (lat, lon) if abs(lat) <= 90 and abs(lon) <= 180 else (None, None)


def _take_detail(place: ListedPlace, what: str, said: str) -> None:
    if what == "Location" and (found := _LOCATION.fullmatch(said)):
        place.lat, place.lon = _position(found)
    elif what == "Rating" and (found := _RATING.match(said)):
        place.rating = float(found[1])
    elif what == "Open":
        place.hours = read_hours(said)


def _minutes(said: str) -> int | None:
    found = _DURATION.fullmatch(said.strip())
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes = (int(one or 0) for one in found.groups())
    return (days * 24 + hours) * 60 + minutes
