"""Quantities with a unit: answer text → one number in the unit that the question asks for."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from app.scores.reading.cleaning import marked_segments, plain
from app.scores.reading.figures import formulas_made_plain, signs_made_plain
from app.scores.reading.number_words import all_in
from app.scores.reading.numbers import Number, Unread, is_range, is_range_between
from app.scores.reading.objects import told_under
from app.scores.reading.reading import Reading
from app.scores.reading.spoken import read_parts

AGREEMENT = 0.1
"""Quantities that differ by at most this share say the same thing twice, as in "123,400 m² (12 ha)"."""
_REACH = 48
"""Characters behind a number in which its unit ends."""
_NO_NUMBER = "no number"
_OF_A = r"(?>(?:\s+(?:of\s+)?(?:an?|one|the|de|d'|di|einem?|eines)\b)?)"
_HALF_MORE = re.compile(
    r"\s?(?:半(?!\w)|\s?(?:and a half|et demie?|y medi[oa]|e mezz[oa]|e mei[oa]|und ein(?:en)? halber?n?|en een halve?"
    r"|och en halv|i pół|с половиной)(?!\w))",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s?[0-9]")
"""A number right behind a unit: "2 km 500" is no 2 km."""
_AND_LESS = re.compile(r"\s?(?:,\s|\s?(?:and|und|et|y|e|i|и|en|och)\s)?\s?", re.IGNORECASE)
_SIGNS_BEFORE = tuple("^$€£¥#")
"""Powers, prices and places in a list are no quantities."""
_BARE_END = re.compile(
    r"\s*+(?:$|[.!;:,)\]}\"'*_`。，、；]|[-(\[=~≈/](?![\w])|\((?!\d)|-\s)"
    r"|\s+(?:away|from|to|in|is|apart|along|as|between|by|long|wide|total|approximately|roughly|about|or so|straight"
    r"|according|which|that|because|since|if|when|for|with|on|at|exactly|measured|rounded|and|or|not|only|here|the|of"
    r"|entfernt|environ|ungefähr|etwa|lang|de|von|à|aproximadamente|circa)\b"
    r"|\s?(?:です|だ|である|左右|입니다|이다|$)",
    re.IGNORECASE,
)


class Units(NamedTuple):
    """Units of one kind: the source of each one's pattern and its size, the plural of the kind, and the
    fields under which an answer in JSON may say it."""

    sizes: tuple[tuple[str, float], ...]
    plural: str
    fields: tuple[str, ...]


class _Measured(NamedTuple):
    """A quantity in the unit asked for, the place of its number and the end of its unit; `size` is its unit's."""

    value: float
    number: Number
    end: int
    size: float


def unit_sizes(*units: tuple[str, str, float]) -> tuple[tuple[str, float], ...]:
    """Units behind a number, each given as words of scripts with blanks, of those without, and its size."""
    return tuple((f"{_OF_A}\\s*-?(?:{_unit(spaced, unspaced)})", size) for spaced, unspaced, size in units)


@cache
def _compiled(sizes: tuple[tuple[str, float], ...]) -> Sequence[tuple[re.Pattern[str], float]]:
    """The patterns, compiled when the first answer of the kind is read: most processes read none."""
    return [(re.compile(source, re.IGNORECASE), size) for source, size in sizes]


def _unit(spaced: str, unspaced: str) -> str:
    """No word goes on behind a unit, no power and no "per": neither km/h nor m³ is a length."""
    bounded = rf"(?:{spaced})(?![^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f])"
    ends = r"(?!\s?\^|\s?/\s?[^\W\d]|\s+(?:per|pro|par|por)\b)"
    return f"(?:{bounded}{f'|(?:{unspaced})' if unspaced else ''}){ends}"


def read_quantity(answer: str, units: Units) -> Reading[float]:
    """The quantity of the last "Answer: …", else those with a unit of the kind, else the one bare number.

    Quantities that contradict each other by more than AGREEMENT, ranges, numbers that are none of ours, and numbers
    with a unit that is not known are unparseable.
    """
    return read_parts(answer, lambda part: _read(part, units), _NO_NUMBER, signs_made_plain)


def _read(part: str, units: Units) -> Reading[float]:
    told = told_under(part, units.fields)
    text = formulas_made_plain(part if told is part else plain(signs_made_plain(told)))
    for segment in marked_segments(text):
        reading = _quantity_in(segment, units)
        if reading.reason != _NO_NUMBER:
            return reading
    return _quantity_in(text, units)


def _quantity_in(text: str, units: Units) -> Reading[float]:
    figures, words = all_in(text)
    numbers = [one for one in figures if isinstance(one, Number)]
    if is_range(text, numbers or [one for one in words if isinstance(one, Number)]):
        return Reading(reason="a range")
    measured: list[_Measured] = []
    for one in sorted([*figures, *words], key=lambda one: one.start):
        size = _size(text, one.end, units)
        if size is None:
            continue
        if isinstance(one, Unread):
            return Reading(reason="a number that cannot be read")
        measured.append(_measured(text, one, *size))
    measured = [one for one in measured if not one.number.is_article] or measured
    if measured:
        return _agreed(text, measured, units)
    return _bare_in(text, figures or [one for one in words if not getattr(one, "is_article", False)], units)


def _measured(text: str, number: Number, size: float, end: int) -> _Measured:
    half = _HALF_MORE.match(text, end)
    value = (number.value + (0.5 if half else 0.0)) * size
    return _Measured(value, number, half.end() if half else end, size)


def _agreed(text: str, measured: list[_Measured], units: Units) -> Reading[float]:
    whole: list[_Measured] = []
    for one in measured:
        if _GOES_ON.match(text, one.end) and all(
            other.number.start - one.end > 2
            for other in measured
            if other is not one and other.number.start >= one.end
        ):
            return Reading(reason="a number that cannot be read")
        before = whole[-1] if whole else None
        if before and one.number.start >= before.end:
            if before.value != one.value and is_range_between(text, before.number, one.number, before.end):
                return Reading(reason="a range")
            if (
                one.size < before.size
                and one.value < before.size
                and _joins(text, before.end, one.number.start)
            ):
                whole[-1] = before._replace(value=before.value + one.value, end=one.end, size=one.size)
                continue
        whole.append(one)
    first = whole[0].value
    if any(abs(one.value - first) > AGREEMENT * abs(first) for one in whole):
        return Reading(reason=f"several {units.plural}")
    return Reading(first)


def _joins(text: str, start: int, end: int) -> bool:
    """Whether "1 km" and "200 m" are one length: nothing, a comma or "and" stands between."""
    return end - start <= 8 and _AND_LESS.fullmatch(text, start, end) is not None


def _bare_in(text: str, numbers: Sequence[Number | Unread], units: Units) -> Reading[float]:
    """The one number without any unit; unparseable where another number has a unit that is not known."""
    if any(isinstance(one, Unread) for one in numbers):
        return Reading(reason="a number that cannot be read")
    kept = [one for one in numbers if isinstance(one, Number)]
    values = {one.value for one in kept if _is_bare(text, one)}
    if len(values) > 1:
        return Reading(reason="several numbers")
    if values:
        others = {one.value for one in kept} - values
        return Reading(reason="several numbers") if others else Reading(values.pop())
    return Reading(reason=f"no unit of {units.plural}" if kept else _NO_NUMBER)


def _size(text: str, end: int, units: Units) -> tuple[float, int] | None:
    """The size of the unit behind a number, and where it ends."""
    window = text[end : end + _REACH]
    found = ((match, size) for pattern, size in _compiled(units.sizes) if (match := pattern.match(window)))
    best = max(found, key=lambda one: one[0].end(), default=None)
    return None if best is None else (best[1], end + best[0].end())


def _is_bare(text: str, number: Number) -> bool:
    """Whether nothing behind a number may be its unit, and it is no power of one."""
    return (
        text[max(0, number.start - 1) : number.start] not in _SIGNS_BEFORE
        and _BARE_END.match(text, number.end) is not None
    )
