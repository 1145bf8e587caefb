"""Directions: answer text → azimuth in degrees clockwise from true north, in [0, 360).

Directions from an axis ("S 45° W", "30° west of north"), degrees ("123.4°", "123°30'"), radians, gon, else compass
words: the middle of their sector.
"""

import math
import re

from app.scores.reading.axes import azimuths_from_axes
from app.scores.reading.cleaning import marked_segments, plain
from app.scores.reading.compass import Point, points_in
from app.scores.reading.figures import formulas_made_plain, signs_made_plain
from app.scores.reading.number_words import words_in
from app.scores.reading.numbers import Number, Unread, figures_in, is_range
from app.scores.reading.objects import told_under
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered
from app.scores.reading.spoken import read_parts

AZIMUTH_FIELDS = ("azimuth_angle", "azimuth", "angle", "bearing", "direction", "answer")
"""Under which an answer in JSON may say it."""

_NOTHING = "no direction"
_DEGREES = re.compile(
    r"\s?(?:°|deg\b|degrees?\b|grade?ns?\b(?<=den)|degrés?\b|gradi\b|grados?\b|graus?\b|grader\b|градус(?:ов|а|ы|ах)?\b|stopni\b|astetta\b"
    r"|derece\b|μοίρες|درجة|מעלות|डिग्री|度|도(?!\w)|องศา|(?-i:Grad\b))",
    re.IGNORECASE,
)
_SEXAGESIMAL = re.compile(
    r"\s?(?:°|degrees?)\s?(?P<minutes>[0-5]?[0-9](?:\.[0-9]{1,9})?)\s?(?:'(?!')|minutes?\b)"
    r"(?:\s?(?P<seconds>[0-5]?[0-9](?:\.[0-9]{1,9})?)\s?(?:\"|''|seconds?\b))?",
    re.IGNORECASE,
)
_UNITS = (
    (
        re.compile(
            r"\s?-?(?:rad(?:ian)?s?|radianten?|radiane[nrs]?|радиан(?:а|ы|ов)?|弧度|ラジアン|라디안)(?!\w)",
            re.IGNORECASE,
        ),
        180.0 / math.pi,
    ),
    (re.compile(r"\s?(?:gons?|grad(?:ian)?s?|neugrad|grades)(?!\w)", re.IGNORECASE), 0.9),
    (re.compile(r"\s?(?:turns?|revolutions?)(?!\w)", re.IGNORECASE), 360.0),
)
_PI = re.compile(
    r"(?<![\w.])(?:(?P<times>[0-9]{1,3}(?:\.[0-9]{1,9})?|[0-9]{1,2}/[0-9]{1,3})\s?[*x]?\s?)?(?:π|pi\b)"
    r"(?:\s?/\s?(?P<over>[0-9]{1,3}))?(?:\s?rad(?:ian)?s?\b)?",
    re.IGNORECASE,
)
_NO_UNIT = re.compile(
    r"\s*+(?:$|[.!;:,)\]}\"'*_`。，、；=~≈(/-]|(?:in|is|from|as|clockwise|measured|to|and|or|which|relative|with|true|the|at"
    r"|approximately|about|bearing|azimuth|heading|since|because|[ns]?[ew]|[ns]|north|south|east|west|north-?east|north-?west"
    r"|south-?east|south-?west)\b)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"[\s,(/=~-]{0,4}")


@remembered
def read_azimuth(answer: str) -> Reading[float]:
    """Degrees by the last "Answer: …", else all of the text; unparseable outside 0 to 360 or when ambiguous."""
    return read_parts(answer, _read, _NOTHING, signs_made_plain)


def _read(part: str) -> Reading[float]:
    told = told_under(part, AZIMUTH_FIELDS)
    text = formulas_made_plain(part if told is part else plain(signs_made_plain(told)))
    for segment in marked_segments(text):
        reading = _azimuth_in(segment)
        if reading.reason != _NOTHING:
            return reading
    return _azimuth_in(text)


def _azimuth_in(text: str) -> Reading[float]:
    if not any(map(str.isdigit, text)):
        text = _with_digits(text)
    axes = list(azimuths_from_axes(text))
    if axes:
        told = [azimuth for azimuth in axes if azimuth is not None]
        return _decide(told) if len(told) == len(axes) else Reading(reason="an axis that tells no azimuth")
    figures = figures_in(text)
    numbers = [one for one in figures if isinstance(one, Number)]
    if any(isinstance(one, Unread) and _unit_of(text, one.end) for one in figures):
        return Reading(reason="a number that cannot be read")
    converted = _of_pi(text) or _converted(text, numbers)
    if converted:
        return Reading(reason="a range") if is_range(text, numbers) else _decide(converted)
    points = points_in(text)
    degrees = [n for n in numbers if _DEGREES.match(text, n.end)]
    if degrees:
        return Reading(reason="a range") if is_range(text, numbers) else _of_degrees(text, degrees, points)
    compass = [point.azimuth for point in points]
    bare = [n for n in numbers if _NO_UNIT.match(text, n.end)]
    if bare and (not compass or all(_within_sector(number.value, compass[0]) for number in bare)):
        return (
            Reading(reason="a range") if is_range(text, bare) else _decide([number.value for number in bare])
        )
    if not compass and any(isinstance(one, Unread) for one in figures):
        return Reading(reason="a number that cannot be read")
    return _decide(compass)


def _with_digits(text: str) -> str:
    """`text` with the numbers that are spelled out before a unit of angles in digits."""
    for number in reversed(words_in(text)):
        if _unit_of(text, number.end):
            text = f"{text[: number.start]}{number.value:g}{text[number.end :]}"
    return text


def _decide(values: list[float]) -> Reading[float]:
    if not values:
        return Reading(reason=_NOTHING)
    if len(set(values)) > 1:
        return Reading(reason="several directions")
    if not 0.0 <= values[0] <= 360.0 + 1e-9:
        return Reading(reason="outside 0 to 360 degrees")
    return Reading(values[0] % 360.0)


def _within_sector(azimuth: float, middle: float) -> bool:
    return abs((azimuth - middle + 180.0) % 360.0 - 180.0) <= 22.5


def _unit_of(text: str, end: int) -> bool:
    return bool(_DEGREES.match(text, end)) or any(unit.match(text, end) for unit, _ in _UNITS)


def _of_pi(text: str) -> list[float]:
    return [
        180.0 * _factor(match["times"] or "1") / float(match["over"] or 1)
        for match in _PI.finditer(text)
        if int(match["over"] or 1)
    ]


def _factor(digits: str) -> float:
    above, _, below = digits.partition("/")
    return float(above) / (float(below) or math.inf) if below else float(digits)


def _converted(text: str, numbers: list[Number]) -> list[float]:
    """Numbers with a unit of angles that is not degrees, in degrees."""
    return [
        number.value * size
        for number in numbers
        for unit, size in _UNITS
        if unit.match(text, number.end) and not _DEGREES.match(text, number.end)
    ]


def _of_degrees(text: str, degrees: list[Number], points: list[Point]) -> Reading[float]:
    """The degrees, which a point of the compass right beside them must not contradict."""
    values = []
    for number in degrees:
        small = _SEXAGESIMAL.match(text, number.end)
        minutes, seconds = (
            (float(small[name] or 0) for name in ("minutes", "seconds")) if small else (0.0, 0.0)
        )
        values.append(number.value + minutes / 60 + seconds / 3600)
        unit = _DEGREES.match(text, number.end)
        end = unit.end() if unit else number.end
        for point in points:
            beside = _BESIDE.fullmatch(text, end, point.start) if point.start >= end else None
            if beside and not _within_sector(values[-1], point.azimuth):
                return Reading(reason="several directions")
    return _decide(values)
