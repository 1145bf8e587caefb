"""Opening hours that are days with times and nothing else, as the pick place_with_hours offers them.

`Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-12:00`: what is said last of a day counts; a day of which nothing is said is
closed (the OpenStreetMap wiki, page "Key:opening_hours/specification").
"""

import re
from datetime import datetime
from typing import NamedTuple

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_DAYS = "(?:Mo|Tu|We|Th|Fr|Sa|Su)"
_PART = f"{_DAYS}(?:-{_DAYS})?"
_TIMES = r"\d\d:\d\d-\d\d:\d\d"
_RULE = f"{_PART}(?:,{_PART})* {_TIMES}(?:, ?{_TIMES})*"
_PLAIN = re.compile(f"{_RULE}(?:; ?{_RULE})*")
NEVER = 10_000.0
"""Minutes: more than a week may have no change."""


class Time(NamedTuple):
    """A time of the week: the day from 0 for Monday, and the minute of the day."""

    day: int
    minute: int


class Week(NamedTuple):
    """When it is open: for each day from Monday spans of minutes, from the first on and before the last."""

    spans: tuple[tuple[tuple[int, int], ...], ...]

    def is_open(self, time: Time) -> bool:
        """Whether it is open at a time."""
        return any(start <= time.minute < end for start, end in self.spans[time.day])


def is_plain(said: str) -> bool:
    """Whether opening hours are days with times and nothing else, so that `read_week` reads them."""
    return _PLAIN.fullmatch(said) is not None


def time_of(moment: str) -> Time:
    """The time of the week of `2024-09-17T07:15`."""
    read = datetime.fromisoformat(moment)
    return Time(read.weekday(), 60 * read.hour + read.minute)


def read_week(said: str) -> Week | None:
    """The week that opening hours tell; None where a span ends before it begins, or after midnight."""
    spans: list[tuple[tuple[int, int], ...]] = [()] * len(DAYS)
    for rule in said.split(";"):
        days, times = rule.strip().split(" ", 1)
        read = tuple(_span(one.strip()) for one in times.split(","))
        if not all(0 <= start < end <= 24 * 60 for start, end in read):
            return None
        for part in days.split(","):
            first, _, last = part.partition("-")
            for day in _days(DAYS.index(first), DAYS.index(last or first)):
                spans[day] = read
    return Week(tuple(spans))


def minutes_to_change(week: Week, time: Time) -> float:
    """How many minutes lie between a time and the nearest time of its day at which it opens or closes."""
    edges = [edge for span in week.spans[time.day] for edge in span]
    return min((abs(edge - time.minute) for edge in edges), default=NEVER)


def _days(first: int, last: int) -> list[int]:
    """The days from one to another, over Sunday where the last comes before the first."""
    return [(first + step) % len(DAYS) for step in range((last - first) % len(DAYS) + 1)]


def _span(said: str) -> tuple[int, int]:
    start, end = said.split("-")
    return _minutes(start), _minutes(end)


def _minutes(said: str) -> int:
    hours, minutes = said.split(":")
    return 60 * int(hours) + int(minutes)
