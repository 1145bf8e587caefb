"""Years: answer text → the year it gives, of a date too."""

import re

from app.scores.reading.cleaning import marked_segments
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered
from app.scores.reading.spoken import read_parts

_YEAR = re.compile(
    r"(?<![\w.,'-])(?:[0-3]?[0-9][./-][01]?[0-9][./-])?(?P<year>[1-9][0-9]{2,3})(?![\w'%°]|[.,][0-9])"
)
_AFTER = re.compile(r"\s?(?:m|km|met(?:er|re)s?|percent|%|years?|people|places|b\.?c)(?!\w)", re.IGNORECASE)
_NO_YEAR = "no year"


@remembered
def read_year(answer: str) -> Reading[int]:
    """The year by the last "Answer: …", else the one that all of the text gives; unparseable where it gives several."""
    return read_parts(answer, _read, _NO_YEAR)


def _read(text: str) -> Reading[int]:
    for segment in marked_segments(text):
        reading = _year_in(segment)
        if reading.reason != _NO_YEAR:
            return reading
    return _year_in(text)


def _year_in(text: str) -> Reading[int]:
    years = {
        int(match["year"])
        for match in _YEAR.finditer(text)
        if not _AFTER.match(text[match.end() : match.end() + 12])
    }
    if len(years) == 1:
        return Reading(years.pop())
    return Reading(reason="several years" if years else _NO_YEAR)
