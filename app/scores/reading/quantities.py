"""Quantities with a unit: answer text → one number in the unit that the question asks for."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from app.scores.reading.cleaning import last_word, marked_segments, plain
from app.scores.reading.numbers import Number, is_range, numbers_in, words_in
from app.scores.reading.objects import told_under
from app.scores.reading.reading import Reading

AGREEMENT = 0.1
"""Quantities that differ by at most this share say the same thing twice, as in "123,400 m² (12 ha)"."""


class Units(NamedTuple):
    """Units of one kind: the pattern of each and its size, the units of other kinds, the plural of the kind, and the
    fields under which an answer in JSON may say it."""

    sizes: Sequence[tuple[re.Pattern[str], float]]
    others: re.Pattern[str]
    plural: str
    fields: tuple[str, ...]


def unit_sizes(*units: tuple[str, float]) -> Sequence[tuple[re.Pattern[str], float]]:
    """(pattern, size) of units as they stand behind a number."""
    return tuple((re.compile(rf"\s*-?(?:{unit})(?![\w^])", re.IGNORECASE), size) for unit, size in units)


def read_quantity(answer: str, units: Units) -> Reading[float]:
    """The quantity of the last "Answer: …", else those with a unit of the kind, else the one bare number.

    Quantities that contradict each other by more than AGREEMENT, and ranges, are unparseable.
    """
    text = last_word(plain(told_under(answer, units.fields)))
    for segment in marked_segments(text):
        reading = _quantity_in(segment, units)
        if reading.reason != "no number":
            return reading
    return _quantity_in(text, units)


def _quantity_in(text: str, units: Units) -> Reading[float]:
    numbers = numbers_in(text) or words_in(text)
    if is_range(text, numbers):
        return Reading(reason="a range")
    measured = [(number, size) for number in numbers if (size := _size(text, number, units)) is not None]
    values = [number.value * size for number, size in measured]
    if not values:
        values = [n.value for n in numbers if _is_bare(text, n, units)]
        if len(set(values)) > 1:
            return Reading(reason="several numbers")
    if not values:
        return Reading(reason="no number")
    first = values[0]
    if any(abs(value - first) > AGREEMENT * abs(first) for value in values):
        return Reading(reason=f"several {units.plural}")
    return Reading(first)


def _size(text: str, number: Number, units: Units) -> float | None:
    window = text[number.end : number.end + 32]
    return next((size for pattern, size in units.sizes if pattern.match(window)), None)


def _is_bare(text: str, number: Number, units: Units) -> bool:
    """Whether a number without a unit of the kind is none of another kind, and no power of a unit."""
    return text[number.start - 1 : number.start] != "^" and not units.others.match(
        text[number.end : number.end + 24]
    )
