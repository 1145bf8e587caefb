"""Opening hours as contexts print them, and the day and time that a question names. Pure.

`Monday: 11:00 AM – 2:30 PM, 5:00 – 10:00 PM, Tuesday: Closed, Wednesday: Open 24 hours`. A span that ends before it
begins goes on to the next day.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY = 24 * 60
Spans = list[tuple[int, int]]
"""Minutes of the day; an end beyond 24 hours lies on the next day."""
Hours = Mapping[str, Spans]
"""By day. A day that is not printed is absent."""
_DAY = re.compile(r"(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday): ")
_TIME = r"([0-9]{1,2})(?::([0-9]{2}))?\s*([AP]\.?M\.?)?"
_SPAN = re.compile(rf"\s*{_TIME}\s*[–—-]\s*{_TIME}\s*", re.IGNORECASE)
_ASKED = re.compile(r"\b([0-9]{1,2})(?:[:.]([0-9]{2}))?\s*([ap])\.?\s?m\b", re.IGNORECASE)
_WORDS = {"noon": 12 * 60, "midday": 12 * 60}


class Moment(NamedTuple):
    """A day of the week and a minute of it; None for what was not said."""

    day: str | None
    minute: int | None


def read_hours(said: str) -> Hours | None:
    """The hours of each day that is printed; None where one of them cannot be read."""
    pieces = _DAY.split(said.strip().rstrip("."))
    hours: dict[str, Spans] = {}
    for day, told in zip(pieces[1::2], pieces[2::2]):
        spans = _spans(told.strip().rstrip(",."))
        if spans is None:
            return None
        hours[day.lower()] = spans
    return hours or None


def _spans(told: str) -> Spans | None:
    if told.casefold() == "closed":
        return []
    if told.casefold() == "open 24 hours":
        return [(0, DAY)]
    spans = []
    for piece in told.split(","):
        found = _SPAN.fullmatch(piece)
        if found is None:
            return None
        half = found[6] or found[3]
        if half is None:
            return None
        start, end = _minute(found[1], found[2], found[3] or half), _minute(found[4], found[5], half)
        spans.append((start, end if end > start else end + DAY))
    return spans


def _minute(hour: str, minute: str | None, half: str) -> int:
    return (int(hour) % 12 + (12 if half.upper().startswith("P") else 0)) * 60 + int(minute or 0)


def read_moment(question: str) -> Moment | None:
    """The one day and the one time that a question names; None where it names several of either."""
    days = {day for day in DAYS if re.search(rf"\b{day}s?\b", question, re.IGNORECASE)}
    times = {_minute(*found) for found in _ASKED.findall(question)}
    times |= {minute for word, minute in _WORDS.items() if re.search(rf"\b{word}\b", question, re.IGNORECASE)}
    if len(days) > 1 or len(times) > 1:
        return None
    return Moment(next(iter(days), None), next(iter(times), None))


def is_open(hours: Hours, moment: Moment) -> bool | None:
    """Whether a place is open then, or at all on that day; None where the hours do not tell, or it closes just then."""
    if moment.day is None or moment.day not in hours:
        return None
    if moment.minute is None:
        return bool(hours[moment.day])
    before = DAYS[DAYS.index(moment.day) - 1]
    spans = [*hours[moment.day], *((start - DAY, end - DAY) for start, end in hours.get(before, ()))]
    if any(start <= moment.minute < end for start, end in spans):
        return True
    return None if any(moment.minute == end for _, end in spans) else False
