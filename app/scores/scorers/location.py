"""`location`: where a place is, by coordinates, by its address or by its name.

Gold: {"objects", "tolerated"}: any of the places is right, each with lon, lat, a name and an address where it has them.
A point is worth 1 at no error, falling to 0 at 200 m, and is correct up to 100 m: near enough to see the place. A wider
scale would pay a guess in a small town for being in the town.
An address with street and house number, or a name, is worth what its own point would be: 1, or less where gold's
address is only the nearest to the place; the street alone, a quarter. Compared in NFKC, case folded, without
punctuation.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pyproj import Geod

from app.scores.reading.cleaning import loose_key_of
from app.scores.reading.locations import Location, read_location
from app.scores.reading.names import keys_of_name
from app.scores.reading.remembering import remembered
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable

ZERO_AT = 200.0
CORRECT_FROM = 0.5
STREET_ALONE = 0.25
FARTHEST = 20_003_931.5
"""Half a meridian, in metres: the most that a geodesic can be long."""
_GEOD = Geod(ellps="WGS84")
_STREETS = {"strasse": "str", "straße": "str", "street": "st", "road": "rd", "avenue": "ave"}


@scorer("location", version=2, graded=True)
def score_location(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """How near the location in `answer` comes to the nearest of the accepted places."""
    reading = read_location(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", error_metres=FARTHEST, words=1.0)
    said = reading.value
    places = [*gold["objects"], *gold.get("tolerated", [])]
    error = _error_of(said, places)
    words = max((_worth_of_words(said.text, place) for place in places), default=0.0)
    by_point = max(0.0, 1.0 - error / ZERO_AT) if error is not None else 0.0
    value = max(by_point, words)
    return Score(
        Outcome.CORRECT if value >= CORRECT_FROM else Outcome.WRONG,
        value,
        {
            "error_metres": Component(min(error, FARTHEST), FARTHEST, True)
            if error is not None
            else Component(FARTHEST, FARTHEST, False),
            "words": Component(words, 1.0, bool(said.text)),
        },
        {"text": said.text}
        | ({"lon": said.point[0], "lat": said.point[1]} if said.point is not None else {}),
    )


def _error_of(said: Location, places: Sequence[Mapping[str, Any]]) -> float | None:
    """Geodesic metres from the point said to the nearest place, or None where none was said."""
    if said.point is None:
        return None
    lons, lats = [place["lon"] for place in places], [place["lat"] for place in places]
    here = len(places)
    _, _, metres = _GEOD.inv([said.point[0]] * here, [said.point[1]] * here, lons, lats)
    return float(min(metres))


def _worth_of_words(text: str, place: Mapping[str, Any]) -> float:
    if not text:
        return 0.0
    if place.get("name") and loose_key_of(place["name"]) in keys_of_name(text):
        return 1.0
    address = place.get("address") or {}
    street = _street_key(address.get("street") or "")
    if not street:
        return 0.0
    said = f" {_street_key(text)} "
    number = loose_key_of(address.get("housenumber") or "")
    exact = [f" {street} {number} ", f" {number} {street} "] if number else [f" {street} "]
    reach = max(0.0, 1.0 - float(address.get("metres", 0.0)) / ZERO_AT)
    if any(form in said for form in exact):
        return reach
    return STREET_ALONE * reach if f" {street} " in said else 0.0


@remembered
def _street_key(text: str) -> str:
    """As `loose_key_of`, with the usual abbreviations of streets, as words of their own or as endings."""
    return " ".join(_abbreviated(word) for word in loose_key_of(text).split()) if text else ""


def _abbreviated(word: str) -> str:
    if word in _STREETS:
        return _STREETS[word]
    for ending in ("strasse", "straße"):
        if word.endswith(ending):
            return word.removesuffix(ending) + "str"
    return word
