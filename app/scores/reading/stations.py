"""Lists of stations in answers, as agents of GeoRover end with: answer text → the stations that it names, best first.

JSON is read whole, fenced, or within words: the last list that holds stations, else the objects one after another.
Fields: station_name, station_location in degrees, and station_id, an id of OpenStreetMap. Where no object has these,
the names that other formats have for them are read (`USUAL`), and where there are none either, a list of texts.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from pyproj import Geod

from app.scores.reading.cleaning import MAX_END, MAX_SEGMENT, loose_key_of, plain
from app.scores.reading.reading import Reading
from app.scores.reading.spoken import spoken


class Fields(NamedTuple):
    """The fields of a station's object: of each kind the first that is there counts."""

    names: Sequence[str]
    locations: Sequence[str]
    ids: Sequence[str]


ASKED_FOR: Final = Fields(("station_name",), ("station_location",), ("station_id",))
USUAL: Final = Fields(
    ("station_name", "name", "station"),
    ("station_location", "location", "coordinates", "position"),
    ("station_id", "osm_key", "osm_id", "id"),
)
LONGITUDES, LATITUDES = ("lon", "lng", "long", "longitude"), ("lat", "latitude")
OF_CALLS = frozenset({"arguments", "parameters", "tool", "tool_name"})
"""Fields of a call of a tool, whose `name` is no station's."""
MOST_STATIONS = 50
"""Entries of a list that are read; three of them count."""
DEEPEST = 5
"""Lists and objects around a list of stations that are looked into."""
MAX_TRIES = 100
"""Opening brackets that are looked at: each costs at most one pass over the text."""
MAX_DIGITS = 300
SAME_METRES = 100.0
"""Metres up to which two points are of one station."""
UNREAD = "no list of stations in JSON, with station_name or station_location, or of their names"

_ID = re.compile(r"[nwr]-?[0-9]{1,19}")
_POINT = re.compile(
    r"\s*\[?\s*(-?[0-9]{1,3}(?:\.[0-9]{1,20})?)\s*,\s*(-?[0-9]{1,3}(?:\.[0-9]{1,20})?)\s*\]?\s*"
)
_DEGREES = re.compile(r"\s*-?[0-9]{1,3}(?:\.[0-9]{1,20})?\s*")
_OPENING = re.compile(r"[\[{]")
_GEOD = Geod(ellps="WGS84")


class Place(NamedTuple):
    """A point in degrees, WGS84."""

    lon: float
    lat: float


class SaidStation(NamedTuple):
    """A station that an answer names; what it does not say is None."""

    name: str | None
    location: Place | None
    id: str | None

    def as_json(self) -> dict[str, Any]:
        """What was said, without what was not."""
        told: dict[str, Any] = {} if self.name is None else {"name": self.name}
        if self.location is not None:
            told |= self.location._asdict()
        return told if self.id is None else told | {"id": self.id}

    def is_same(self, other: "SaidStation") -> bool:
        """Whether both mean one station: by their ids, else by their names and places as far as both say them."""
        if self.id is not None and other.id is not None:
            return self.id == other.id
        named = self.name is not None and other.name is not None
        if named and loose_key_of(self.name or "") != loose_key_of(other.name or ""):
            return False
        if self.location is None or other.location is None:
            return named
        return metres_between(self.location, other.location) <= SAME_METRES


def read_stations(answer: str) -> Reading[list[SaidStation]]:
    """The different stations of an answer in their order; each is kept where it is named first."""
    different: list[SaidStation] = []
    for one in _stations_of(spoken(answer)):
        if not any(one.is_same(other) for other in different):
            different.append(one)
    return Reading(different) if different else Reading(reason=UNREAD)


def metres_between(one: Place, other: Place) -> float:
    """Metres along the geodesic of the WGS84 ellipsoid."""
    return float(_GEOD.inv(*one, *other)[2])


def read_location(told: Any) -> Place | None:
    """The point that a list of two numbers, or a text such as `9.5215,47.1393`, says; None where it says none."""
    if isinstance(told, str):
        found = _POINT.fullmatch(told[:MAX_SEGMENT])
        told = list(map(float, found.groups())) if found else None
    if not isinstance(told, list) or len(told) != 2 or not all(map(_is_number, told)):
        return None
    lon, lat = map(float, told)
    return Place(lon, lat) if abs(lon) <= 180.0 and abs(lat) <= 90.0 else None


def read_place(told: Any) -> Place | None:
    """The same, and the point of an object with a longitude and a latitude."""
    if not isinstance(told, Mapping):
        return read_location(told)
    return read_location([_degrees(_first(told, names)) for names in (LONGITUDES, LATITUDES)])


def _stations_of(text: str) -> list[SaidStation]:
    values = list(_values_in(text))
    ways = (_as_asked_for, _as_usual, _as_text)
    return next((found for way in ways if (found := _stations_among(values, way))), [])


_Read = Callable[[Any], SaidStation | None]
"""A value of JSON → the station that it is, None where it is none."""


def _stations_among(values: Sequence[Any], read: _Read) -> list[SaidStation]:
    """The last list of stations, else the stations that stand alone."""
    single: list[SaidStation] = []
    last: list[SaidStation] = []
    for value in values:
        stations = _listed_in(value, read, DEEPEST)
        if stations:
            last = stations
        elif isinstance(value, Mapping) and (one := read(value)) is not None:
            single.append(one)
    return last or single[:MOST_STATIONS]


def _listed_in(value: Any, read: _Read, depth: int) -> list[SaidStation]:
    """The stations of a list, or of the first list within an object or a list that holds some.

    Lists within an object that tells a station by its usual fields are of that station. Texts may be anything: their
    list counts where it is the only one.
    """
    if depth == 0 or not isinstance(value, list | Mapping):
        return []
    if isinstance(value, list):
        stations = [read(one) for one in value[:MOST_STATIONS]]
        if told := [one for one in stations if one is not None]:
            return told
    elif read is _as_usual and read(value) is not None:
        return []
    inner = value[:MOST_STATIONS] if isinstance(value, list) else list(value.values())[:MOST_STATIONS]
    if read is not _as_text:
        return next((found for one in inner if (found := _listed_in(one, read, depth - 1))), [])
    if isinstance(value, Mapping) and OF_CALLS & value.keys():
        return []
    lists = [found for one in inner if (found := _listed_in(one, read, depth - 1))]
    return lists[0] if len(lists) == 1 else []


def _station(told: Any, fields: Fields) -> SaidStation | None:
    if not isinstance(told, Mapping):
        return None
    name, said_id = _first(told, fields.names), _first(told, fields.ids)
    words = plain(name)[:MAX_SEGMENT].strip() if isinstance(name, str) else ""
    key = said_id.strip() if isinstance(said_id, str) else ""
    location = read_place(_first(told, fields.locations))
    if location is None and fields is USUAL:
        location = read_place(told)
    known_id = key if _ID.fullmatch(key) else None
    if not words and location is None and known_id is None:
        return None
    return SaidStation(words or None, location, known_id)


_as_asked_for: _Read = partial(_station, fields=ASKED_FOR)


def _as_usual(told: Any) -> SaidStation | None:
    """A station by the fields that other formats have; a call of a tool is none."""
    return None if isinstance(told, Mapping) and OF_CALLS & told.keys() else _station(told, USUAL)


def _as_text(told: Any) -> SaidStation | None:
    """A text that is an id, a point or else a name."""
    if not isinstance(told, str) or not (words := plain(told)[:MAX_SEGMENT].strip()):
        return None
    if _ID.fullmatch(words):
        return SaidStation(None, None, words)
    location = read_location(words)
    return SaidStation(words if location is None else None, location, None)


def _first(told: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((told[name] for name in names if told.get(name) is not None), None)


def _degrees(told: Any) -> Any:
    """A number, or the number that a text is."""
    return float(told) if isinstance(told, str) and _DEGREES.fullmatch(told[:MAX_SEGMENT]) else told


def _values_in(text: str) -> Iterator[Any]:
    """The outermost lists and objects of JSON in a text, in their order; what is no JSON is passed over."""
    if len(text) > 2 * MAX_END:
        text = f"{text[:MAX_END]}\n{text[-MAX_END:]}"
    opening = _OPENING.search(text)
    for _ in range(MAX_TRIES):
        if opening is None:
            return
        try:
            value, end = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            end = opening.end()
        else:
            yield value
        opening = _OPENING.search(text, end)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_DIGITS else math.inf


_DECODER = json.JSONDecoder(parse_int=_integer)
