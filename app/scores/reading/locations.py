"""Locations: answer text → a point in degrees, and the text that may be an address or a name.

Latitude and longitude by their words or by N, S, E, W (decimals, or degrees, minutes and seconds); else the first pair
of decimals, latitude first unless words say "longitude, latitude", it is WKT or GeoJSON, or the first is beyond 90.
"""

import re
from typing import NamedTuple

from app.scores.reading.cleaning import (
    MAX_SEGMENT,
    lines_of,
    marked_segments,
    undecorated,
)
from app.scores.reading.figures import formulas_made_plain
from app.scores.reading.objects import first_text
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered
from app.scores.reading.spoken import likely_part

_NUMBER = r"[+-]?[0-9]{1,3}(?:[.,][0-9]{1,30})?(?![0-9]|[.,][0-9])"
_DECIMAL = r"[+-]?[0-9]{1,3}\.[0-9]{1,30}(?![0-9])"
_COMMA_DECIMAL = r"[+-]?[0-9]{1,3},[0-9]{2,30}(?![0-9])"
_TELLS = r"[\"'\s*_]{0,4}(?:[:=]|is\b|of\b|ist\b|es\b|est\b|è\b|是|为)?[\"'\s(*_~]{0,4}"
_LATITUDES = (
    r"lat(?:itud(?:e|ine)?)?|(?:geographische\s)?breite(?:ngrad)?|breddgrad|szerokość(?:\sgeograficzna)?|leveysaste|широта"
    r"|γεωγραφικό πλάτος|خط العرض|अक्षांश|纬度|緯度|위도|ละติจูด"
)
_LONGITUDES = (
    r"lon(?:g(?:itud(?:e|ine)?)?)?|lng|(?:geographische\s)?länge(?:ngrad)?|längdgrad|długość(?:\sgeograficzna)?|pituusaste|долгота"
    r"|γεωγραφικό μήκος|خط الطول|देशांतर|देशान्तर|经度|經度|経度|경도|ลองจิจูด"
)
_LATITUDE = re.compile(rf"(?<![^\W\d_])(?:{_LATITUDES})(?![a-z]){_TELLS}(?P<value>{_NUMBER})", re.IGNORECASE)
_LONGITUDE = re.compile(
    rf"(?<![^\W\d_])(?:{_LONGITUDES})(?![a-z]){_TELLS}(?P<value>{_NUMBER})", re.IGNORECASE
)
_SIDES = {
    "N": "N|north|nord|norte|noord|север|北纬|北緯|북위",
    "S": "S|south|süd|sud|sur|sul|юг|南纬|南緯|남위",
    "E": "E|east|ost|oost|est|este|leste|восток|东经|東経|東經|동경",
    "W": "W|west|ouest|oeste|ovest|запад|西经|西経|西經|서경",
}
_SIDE_NAMES = {name.lower(): side for side, names in _SIDES.items() for name in names.split("|")}
_SIDE = rf"(?:[NSEW]|{'|'.join(name for name in _SIDE_NAMES if len(name) > 1)})"
_ANGLE = r"""
    (?P<sign>[+-]?) (?P<degrees>[0-9]{1,3}(?:[.,][0-9]{1,20})?) (?![0-9]|[.,][0-9]) \s?(?:°|度|degrees?\b|도)?\s?
    (?: (?P<minutes>[0-5]?[0-9](?:[.,][0-9]{1,20})?) \s?(?:'(?!')|分) \s? )?
    (?: (?P<seconds>[0-5]?[0-9](?:[.,][0-9]{1,20})?) \s?(?:"|''|秒) \s? )?
"""
_QUARTER = re.compile(
    rf"(?<![\w.+-]) {_ANGLE} (?P<side>{_SIDE.replace(' ', '[ ]')})(?!\w)", re.VERBOSE | re.IGNORECASE
)
_QUARTER_BEFORE = re.compile(
    rf"(?<![^\W\u3400-\u9fff\uac00-\ud7af]) (?P<side>{_SIDE}) [\s:]{{0,2}} {_ANGLE}",
    re.VERBOSE | re.IGNORECASE,
)
_PAIR = re.compile(rf"(?<![\w.+-])({_DECIMAL})\s?°?\s{{0,2}}[,;/ ]\s{{0,2}}({_DECIMAL})(?![\w.]?[0-9])")
_COMMA_PAIR = re.compile(
    rf"(?<![\w.,+-])({_COMMA_DECIMAL})\s?°?(?:\s{{0,2}}[;/|]\s{{0,2}}|,?\s{{1,2}}|,)({_COMMA_DECIMAL})(?![\w.,]?[0-9])"
)
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
    text = likely_part(answer)
    figures = text if "\\" not in text and "{" not in text else formulas_made_plain(text)
    for part in (*marked_segments(figures), figures[:_LONGEST]):
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
        return _on_earth(_number(longitude["value"]), _number(latitude["value"]))
    for pattern in (_QUARTER, _QUARTER_BEFORE):
        quarters = [(_SIDE_NAMES[match["side"].lower()], _degrees(match)) for match in pattern.finditer(text)]
        norths = [-value if side == "S" else value for side, value in quarters if side in "NS"]
        easts = [-value if side == "W" else value for side, value in quarters if side in "EW"]
        if norths and easts:
            return _on_earth(easts[0], norths[0])
    pair = _PAIR.search(text) or _COMMA_PAIR.search(text)
    if not pair:
        return Reading()
    first, second = _number(pair[1]), _number(pair[2])
    if _LONGITUDE_FIRST.search(text) or abs(first) > 90.0:
        return _on_earth(first, second)
    return _on_earth(second, first)


def _degrees(match: re.Match[str]) -> float:
    value = _number(match["degrees"]) + _number(match["minutes"]) / 60 + _number(match["seconds"]) / 3600
    return -value if match["sign"] == "-" else value


def _number(digits: str | None) -> float:
    return float((digits or "0").replace(",", "."))


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
