"""Locations: answer text → a point in degrees, and the text that may be an address or a name.

Latitude and longitude by their words or by N, S, E, W (decimals, or degrees, minutes and seconds); else the first pair
of decimals, latitude first unless words say "longitude, latitude", it is WKT or GeoJSON, or the first is beyond 90.
"""

import re
from typing import NamedTuple

from app.scores.reading.cleaning import (
    MAX_SEGMENT,
    last_word,
    lines_of,
    marked_segments,
    plain,
    undecorated,
)
from app.scores.reading.objects import first_text
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

_NUMBER = r"[+-]?[0-9]{1,3}(?:\.[0-9]{1,30})?(?![0-9.]?[0-9])"
_DECIMAL = r"[+-]?[0-9]{1,3}\.[0-9]{1,30}(?![0-9])"
_TELLS = r"[\"'\s]{0,4}(?:[:=]|is\b|of\b)?[\"'\s(]{0,4}"
_LATITUDE = re.compile(rf"(?<![a-z])lat(?:itude)?(?![a-z]){_TELLS}({_NUMBER})", re.IGNORECASE)
_LONGITUDE = re.compile(rf"(?<![a-z])(?:lon(?:g(?:itude)?)?|lng)(?![a-z]){_TELLS}({_NUMBER})", re.IGNORECASE)
_QUARTER = re.compile(
    r"""
    (?<![\w.+-])
    (?P<sign>[+-]?) (?P<degrees>[0-9]{1,3}(?:\.[0-9]{1,20})?) \s?°?\s?
    (?: (?P<minutes>[0-5]?[0-9](?:\.[0-9]{1,20})?) \s?'(?!') \s? )?
    (?: (?P<seconds>[0-5]?[0-9](?:\.[0-9]{1,20})?) \s?(?:"|'') \s? )?
    (?P<side>[NSEW]|north|south|east|west)(?!\w)
    """,
    re.VERBOSE,
)
_PAIR = re.compile(rf"(?<![\w.+-])({_DECIMAL})\s?°?\s{{0,2}}[,;/ ]\s{{0,2}}({_DECIMAL})(?![\w.]?[0-9])")
_LONGITUDE_FIRST = re.compile(
    r"(?<![a-z])(?:lon(?:g(?:itude)?)?|lng)(?![a-z])\W{0,4}(?:and\s)?lat(?:itude)?(?![a-z])"
    r"|\bpoint\s?\(|\"type\"\s?:\s?\"point\"",
    re.IGNORECASE,
)
_FIELDS = ("answer", "location", "address", "name", "poi_name")
_SENTENCE = re.compile(
    r"(?:the|it|that|this|one|an?|its)\b.{0,400}?\b(?:is|was|would be|lies|located)\s(?:located\s)?(?:at\s)?(.+)",
    re.IGNORECASE,
)
_LONGEST = 20_000


class Location(NamedTuple):
    """What an answer says of a place: `point` is (longitude, latitude); `text` has no line ends."""

    point: tuple[float, float] | None
    text: str


@remembered
def read_location(answer: str) -> Reading[Location]:
    """The one location in `answer`: by the last "Answer: …", else all of it; of several points the first counts."""
    text = last_word(plain(answer))
    for part in (*marked_segments(text), text[:_LONGEST]):
        point = _point_in(part)
        if point.value or point.reason:
            break
    if point.reason:
        return Reading(reason=point.reason)
    words = _text_of(text)
    if point.value is None and not any(map(str.isalnum, words)):
        return Reading(reason="no location")
    return Reading(Location(point.value, words))


def _point_in(text: str) -> Reading[tuple[float, float]]:
    """A point, the reason why what is there is none, or neither."""
    latitude, longitude = _LATITUDE.search(text), _LONGITUDE.search(text)
    if latitude and longitude:
        return _on_earth(float(longitude[1]), float(latitude[1]))
    quarters = [(match["side"][0].upper(), _degrees(match)) for match in _QUARTER.finditer(text)]
    norths = [-value if side == "S" else value for side, value in quarters if side in "NS"]
    easts = [-value if side == "W" else value for side, value in quarters if side in "EW"]
    if norths and easts:
        return _on_earth(easts[0], norths[0])
    pair = _PAIR.search(text)
    if not pair:
        return Reading()
    first, second = float(pair[1]), float(pair[2])
    if _LONGITUDE_FIRST.search(text) or abs(first) > 90.0:
        return _on_earth(first, second)
    return _on_earth(second, first)


def _degrees(match: re.Match[str]) -> float:
    value = float(match["degrees"]) + float(match["minutes"] or 0) / 60 + float(match["seconds"] or 0) / 3600
    return -value if match["sign"] == "-" else value


def _on_earth(lon: float, lat: float) -> Reading[tuple[float, float]]:
    if abs(lon) > 180.0 or abs(lat) > 90.0:
        return Reading(reason="coordinates outside the earth")
    return Reading((lon, lat))


def _text_of(text: str) -> str:
    """The words that may be an address or a name: one line, from JSON or after the last "Answer:" where these are."""
    words = first_text(text, _FIELDS)
    if words is None:
        words = next(marked_segments(text), None)
    if words is None:
        line = next(iter(lines_of(text[: 4 * MAX_SEGMENT], 1)), "")
        sentence = _SENTENCE.fullmatch(line)
        words = sentence[1] if sentence else line
    return undecorated(words.split("\n")[0])[:MAX_SEGMENT].strip()
