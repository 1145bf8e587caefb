"""Counts: answer text → how many."""

import re

from app.scores.reading.cleaning import marked_segments, plain
from app.scores.reading.figures import formulas_made_plain, signs_made_plain
from app.scores.reading.number_words import all_in
from app.scores.reading.numbers import Number, Unread, is_range
from app.scores.reading.objects import told_under
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered
from app.scores.reading.spoken import read_parts

COUNT_FIELDS = ("count", "answer")
"""Under which an answer in JSON may say it."""

_NO_NUMBER = "no number"
_UNREAD = "a number that cannot be read"
_OTHER_UNIT = re.compile(
    r"\s?(?:m|km|ha|m2|km2|m\^2|km\^2|ft|mi|%|°|(?:kilo)?met(?:er|re)s?|degrees?|percent|minutes?|miles?|feet"
    r"|(?:square|sq)\b.*)(?!\w)|\s?(?:公里|千米|米(?!店)|メートル|キロ|미터|킬로미터)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)")
_GOES_ON = re.compile(r"[A-Za-z]")
_NO_COUNT = re.compile(r".*/.*|-?[0-9]{1,3}\.[0-9]{3}")
"""Shares, and what may be thousands as well as a decimal: "1.234"."""
_DATE = re.compile(r"[/:]")
_THERE_ARE = re.compile(
    r"\bthere (?:are|is|were) (?:about |approximately |roughly |around |only |exactly |~)?[*_]*", re.I
)


@remembered
def read_count(answer: str) -> Reading[float]:
    """How many, by the last "Answer: 12", else "there are 12", else the one number that carries no other unit.

    Several numbers that differ, ranges such as "10 to 15", and what is not a number as a whole are unparseable.
    """
    return read_parts(answer, _read, _NO_NUMBER, signs_made_plain)


def _read(part: str) -> Reading[float]:
    told = told_under(part, COUNT_FIELDS)
    text = formulas_made_plain(part if told is part else plain(signs_made_plain(told)))
    for segment in marked_segments(text):
        counts = _counts_in(segment)
        numbers = [one for one in counts if isinstance(one, Number)]
        if counts and not isinstance(counts[0], Number):
            return Reading(reason=_UNREAD)
        if numbers:
            return Reading(reason="a range") if is_range(segment, numbers) else Reading(numbers[0].value)
    return _count_in(text)


def _count_in(text: str) -> Reading[float]:
    counts = _counts_in(text)
    numbers = [one for one in counts if isinstance(one, Number)]
    if is_range(text, numbers):
        return Reading(reason="a range")
    after = {match.end() for match in _THERE_ARE.finditer(text)}
    every = (one for some in all_in(text) for one in some if isinstance(one, Number))
    stated = [number for number in every if number.start in after and not number.is_article]
    if not stated and len(numbers) < len(counts):
        return Reading(reason=_UNREAD)
    values = {number.value for number in stated or numbers}
    if len(values) == 1:
        return Reading(values.pop())
    return Reading(reason="several numbers" if values else _NO_NUMBER)


def _counts_in(text: str) -> list[Number | Unread]:
    """The numbers that may be counts; dates, times and ordinals are none, what is torn or goes on cannot be read."""
    figures, words = all_in(text)
    digits = [one for one in figures if not _ORDINAL.match(text, one.end)]
    length = len(text.strip(" .!*"))
    words = [
        one
        for one in words
        if not (isinstance(one, Number) and one.is_article and length > one.end - one.start)
    ]
    found: list[Number | Unread] = []
    for one in digits or words:
        if _OTHER_UNIT.match(text[one.end : one.end + 24]):
            continue
        if isinstance(one, Unread):
            if not _DATE.search(text, one.start, one.end):
                found.append(one)
        elif digits and (_GOES_ON.match(text, one.end) or _NO_COUNT.fullmatch(text[one.start : one.end])):
            found.append(Unread(one.start, one.end))
        elif digits or one.value.is_integer():
            found.append(one)
    return found
