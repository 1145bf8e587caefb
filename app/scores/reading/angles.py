"""Directions: answer text → azimuth in degrees clockwise from true north, in [0, 360).

Degrees ("123.4°", "123°30'"), quadrant bearings ("S 45° W"), else compass words: the middle of their sector.
"""

import re

from app.scores.reading.cleaning import last_word, marked_segments, plain
from app.scores.reading.numbers import Number, is_range, numbers_in, words_in
from app.scores.reading.objects import told_under
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

AZIMUTH_FIELDS = ("azimuth_angle", "azimuth", "angle", "bearing", "direction", "answer")
"""Under which an answer in JSON may say it."""

_DEGREES = re.compile(r"\s?(?:°|deg\b|degrees?\b)", re.IGNORECASE)
_MINUTES = re.compile(r"\s?°\s?(?P<minutes>[0-5]?[0-9])(?:\.[0-9]+)?\s?'")
_OTHER_UNIT = re.compile(
    r"\s?(?:m|km|%|(?:kilo)?met(?:er|re)s?|percent|minutes?|miles?)(?!\w)", re.IGNORECASE
)
_QUADRANT = re.compile(
    r"(?<!\w)(?P<pole>N|S|north|south)\s?(?P<angle>[0-9]{1,2}(?:\.[0-9]{1,9}+)?+)\s?(?:°|deg|degrees)?\s?"
    r"(?P<side>E|W|east|west)(?!\w)",
    re.IGNORECASE,
)
_SIXTEEN = "n nne ne ene e ese se sse s ssw sw wsw w wnw nw nnw".split()
_SECTORS = {name: 22.5 * index for index, name in enumerate(_SIXTEEN)}
_POINT = "(?:north|south|east|west)"
_COMPASS_WORD = re.compile(
    rf"(?<!\w){_POINT}(?:[ -]?{_POINT}){{0,2}}+(?:er[nl]y?|wards?)?(?!\w)", re.IGNORECASE
)
_COMPASS_LETTERS = re.compile(r"(?<![\w'])(?:[NS](?:[NS]?[EW])?|[EW](?:[NS][EW])?)(?![\w'])")


@remembered
def read_azimuth(answer: str) -> Reading[float]:
    """Degrees by the last "Answer: …", else all of the text; unparseable outside 0 to 360 or when ambiguous."""
    text = last_word(plain(told_under(answer, AZIMUTH_FIELDS)))
    for segment in marked_segments(text):
        reading = _azimuth_in(segment)
        if reading.reason != "no direction":
            return reading
    return _azimuth_in(text)


def _azimuth_in(text: str) -> Reading[float]:
    quadrants = [_of_quadrant(match) for match in _QUADRANT.finditer(text)]
    numbers = numbers_in(text)
    degrees = [n for n in numbers or words_in(text) if _DEGREES.match(text[n.end : n.end + 10])]
    if quadrants:
        return _decide(quadrants)
    if degrees:
        return Reading(reason="a range") if is_range(text, numbers) else _decide(_with_minutes(text, degrees))
    compass = _compass_in(text)
    bare = [n for n in numbers if not _OTHER_UNIT.match(text[n.end : n.end + 24])]
    if bare and (not compass or all(_within_sector(number.value, compass[0]) for number in bare)):
        return (
            Reading(reason="a range") if is_range(text, bare) else _decide([number.value for number in bare])
        )
    return _decide(compass)


def _decide(values: list[float]) -> Reading[float]:
    if not values:
        return Reading(reason="no direction")
    if len(set(values)) > 1:
        return Reading(reason="several directions")
    if not 0.0 <= values[0] <= 360.0:
        return Reading(reason="outside 0 to 360 degrees")
    return Reading(values[0] % 360.0)


def _within_sector(azimuth: float, middle: float) -> bool:
    return abs((azimuth - middle + 180.0) % 360.0 - 180.0) <= 22.5


def _with_minutes(text: str, degrees: list[Number]) -> list[float]:
    values = []
    for number in degrees:
        minutes = _MINUTES.match(text[number.end : number.end + 12])
        values.append(number.value + (float(minutes["minutes"]) / 60 if minutes else 0.0))
    return values


def _of_quadrant(match: re.Match[str]) -> float:
    angle, south, west = float(match["angle"]), match["pole"][0] in "sS", match["side"][0] in "wW"
    if south:
        return 180.0 + angle if west else 180.0 - angle
    return (360.0 - angle) % 360.0 if west else angle


def _compass_in(text: str) -> list[float]:
    """The middles of the sectors that `text` names in words or, else, in capital letters; in order."""
    words = [_initials(match[0]) for match in _COMPASS_WORD.finditer(text)]
    letters = [match[0].lower() for match in _COMPASS_LETTERS.finditer(text)]
    stripped = text.strip(" .!")
    if not words and not letters and len(stripped) <= 3:
        letters = [stripped.lower()]
    return [_SECTORS[name] for name in words or letters if name in _SECTORS]


def _initials(words: str) -> str:
    return "".join(part[0] for part in re.findall(r"north|south|east|west", words.lower()))
