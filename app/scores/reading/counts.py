"""Counts: answer text → how many."""

import re

from app.scores.reading.cleaning import last_word, marked_segments, plain
from app.scores.reading.numbers import Number, is_range, numbers_in, words_in
from app.scores.reading.objects import told_under
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

COUNT_FIELDS = ("count", "answer")
"""Under which an answer in JSON may say it."""

_OTHER_UNIT = re.compile(
    r"\s?(?:m|km|ha|m2|km2|m\^2|km\^2|ft|mi|%|°|(?:kilo)?met(?:er|re)s?|degrees?|percent|minutes?|miles?|feet"
    r"|(?:square|sq)\b.*)(?!\w)",
    re.IGNORECASE,
)
_THERE_ARE = re.compile(
    r"\bthere (?:are|is|were) (?:about |approximately |roughly |around |only |exactly |~)?[*_]*", re.I
)


@remembered
def read_count(answer: str) -> Reading[float]:
    """How many, by the last "Answer: 12", else "there are 12", else the one number that carries no other unit.

    Several numbers that differ, and ranges such as "10 to 15", are unparseable.
    """
    text = last_word(plain(told_under(answer, COUNT_FIELDS)))
    for segment in marked_segments(text):
        numbers = _counts_in(segment)
        if numbers:
            return Reading(reason="a range") if is_range(segment, numbers) else Reading(numbers[0].value)
    numbers = _counts_in(text)
    if is_range(text, numbers):
        return Reading(reason="a range")
    after = {match.end() for match in _THERE_ARE.finditer(text)}
    stated = [number for number in (*numbers_in(text), *words_in(text)) if number.start in after] or numbers
    values = {number.value for number in stated}
    if len(values) == 1:
        return Reading(values.pop())
    return Reading(reason="several numbers" if values else "no number")


def _counts_in(text: str) -> list[Number]:
    digits = numbers_in(text)
    return [n for n in digits or words_in(text) if not _OTHER_UNIT.match(text[n.end : n.end + 24])]
