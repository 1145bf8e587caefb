"""Years: answer text → the year it gives, of a date too."""

import re

from app.scores.reading.cleaning import last_word, marked_segments, plain
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

_YEAR = re.compile(
    r"(?<![\w.,'-])(?:[0-3]?[0-9][./-][01]?[0-9][./-])?(?P<year>[1-9][0-9]{2,3})(?![\w'%°]|[.,][0-9])"
)
_AFTER = re.compile(r"\s?(?:m|km|met(?:er|re)s?|percent|%|years?|people|places|b\.?c)(?!\w)", re.IGNORECASE)


@remembered
def read_year(answer: str) -> Reading[int]:
    """The year by the last "Answer: …", else the one that all of the text gives; unparseable where it gives several."""
    text = last_word(plain(answer))
    for segment in marked_segments(text):
        reading = _year_in(segment)
        if reading.reason != "no year":
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
    return Reading(reason="several years" if years else "no year")
