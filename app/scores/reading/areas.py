"""Areas: answer text → square metres; hectares, square kilometres, acres, square feet and miles are converted."""

import re

from app.scores.reading.cleaning import last_word, marked_segments, plain
from app.scores.reading.numbers import Number, is_range, numbers_in, words_in
from app.scores.reading.reading import Reading

AGREEMENT = 0.1
"""Quantities that differ by at most this share say the same thing twice, as in "123,400 m² (12 ha)"."""

_SQUARE = r"(?:square|sq\.?)[ -]?"
_UNITS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(rf"\s*-?(?:{pattern})(?!\w)", re.IGNORECASE), metres)
    for pattern, metres in (
        (rf"m\^?2|{_SQUARE}m(?:et(?:er|re)s?)?|met(?:er|re)s? squared|sqm", 1.0),
        (r"ha|hectares?", 1e4),
        (rf"km\^?2|{_SQUARE}k(?:m|ilomet(?:er|re)s?)|kilomet(?:er|re)s? squared|sqkm", 1e6),
        (r"acres?", 4046.8564224),
        (rf"ft\^?2|{_SQUARE}f(?:t|eet|oot)|sqft", 0.09290304),
        (rf"mi\^?2|{_SQUARE}mi(?:les?)?", 2589988.110336),
    )
)
_OTHER_UNIT = re.compile(
    r"\s?(?:m|km|ft|mi|%|°|(?:kilo)?met(?:er|re)s?|degrees?|percent|miles?|feet)(?!\w)", re.I
)


def read_area(answer: str) -> Reading[float]:
    """Square metres, by the last "Answer: …", else the quantities with a unit of area, else the one bare number.

    A number without a unit means square metres, as the question asks. Quantities that contradict each other
    by more than AGREEMENT, and ranges, are unparseable.
    """
    text = last_word(plain(answer))
    for segment in marked_segments(text):
        reading = _area_in(segment)
        if reading.reason != "no number":
            return reading
    return _area_in(text)


def _area_in(text: str) -> Reading[float]:
    numbers = numbers_in(text) or words_in(text)
    if is_range(text, numbers):
        return Reading(reason="a range")
    measured = [
        (number, factor) for number in numbers if (factor := _square_metres(text, number)) is not None
    ]
    areas = [number.value * factor for number, factor in measured]
    if not areas:
        areas = [n.value for n in numbers if not _OTHER_UNIT.match(text[n.end : n.end + 24])]
        if len(set(areas)) > 1:
            return Reading(reason="several numbers")
    if not areas:
        return Reading(reason="no number")
    first = areas[0]
    if any(abs(area - first) > AGREEMENT * abs(first) for area in areas):
        return Reading(reason="several areas")
    return Reading(first)


def _square_metres(text: str, number: Number) -> float | None:
    window = text[number.end : number.end + 32]
    return next((metres for pattern, metres in _UNITS if pattern.match(window)), None)
