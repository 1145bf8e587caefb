"""Second path: opening hours that are days with times and nothing else, such as `Mo-Fr 08:00-12:00; Sa 09:00-12:00`."""

import re
from datetime import datetime

from app.questions.second_path.answering import Refused

WEEK = "Mo Tu We Th Fr Sa Su".split()
_RULE = re.compile(r"((?:Mo|Tu|We|Th|Fr|Sa|Su|[-,])+) ([0-9:, -]+)")
_TIMES = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d)")


def times_of(said: str) -> dict[str, list[tuple[int, int]]]:
    """By day the minutes from when until when a place is open; raises Refused for hours of another form."""
    opened: dict[str, list[tuple[int, int]]] = {}
    for rule in re.split(r"; ?", said):
        read = _RULE.fullmatch(rule)
        if read is None:
            raise Refused("unreadable_hours", said=said)
        times = [
            (60 * int(one[0]) + int(one[1]), 60 * int(one[2]) + int(one[3]))
            for one in _TIMES.findall(read[2])
        ]
        if not times or any(start >= end or end > 1440 for start, end in times):
            raise Refused("unreadable_hours", said=said)
        for part in read[1].split(","):
            days = (WEEK + WEEK)[WEEK.index(part[:2]) :]
            opened |= dict.fromkeys(days[: days.index(part[-2:]) + 1], times)
    return opened


def state_on(said: str, moment: datetime) -> tuple[bool, int]:
    """Whether it is open at a moment, and how many minutes off it opens or closes that day (10,000: not at all)."""
    spans = times_of(said).get(WEEK[moment.weekday()], [])
    minute = 60 * moment.hour + moment.minute
    change = min((abs(edge - minute) for span in spans for edge in span), default=10_000)
    return any(start <= minute < end for start, end in spans), change
