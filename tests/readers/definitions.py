"""The definitions that a precise text must state, each by the words that bear it; an everyday text states none of them.

What both must say, such as the unit of a number, is read in text.py.
"""

import re
from collections.abc import Iterator

from tests.readers.places import Unreadable
from tests.readers.reading import Reading
from tests.readers.vocabulary import GROUNDS

SOURCE = re.compile(r"\bOpenStreetMap\b")
STRAIGHT = re.compile(r"\bstraight lines\b")
OVER_GROUND = re.compile(r"\bover the ground\b.*\bWGS84\b")
AS_POINTS = re.compile(r"\bmapped as an area\b[^.]*\bone point inside\b")
WIDTH = re.compile(r"\bwithin 22\.5 degrees of (?:true|the straight line)\b")
FULL_TURN = re.compile(r"\bdegrees clockwise from true north\b.*\b0 to 360\b")
ANY_IS_RIGHT = re.compile(r"\bany one of them is a right answer\b", re.IGNORECASE)
NAMELESS_TOO = re.compile(r"\bwithout a name count too\b")
NAMED_ONLY = re.compile(r"\bOnly those with a name\b")
EACH_ALONE = re.compile(r"\beach area\b[^.]*\bby itself\b")
OVERLAP_ONCE = re.compile(r"\bground that two objects cover counts once\b")
ADDED_UP = re.compile(r"\bone name\b[^.]*\badded up\b")
CARRIAGEWAYS = re.compile(r"\bEach carriageway\b[^.]*\bcounts\b")
BORDER_WAYS = re.compile(r"\bon the border itself do not count\b")
Need = tuple[str, re.Pattern[str]]


def is_precise(rest: str) -> bool:
    """Whether a text says from which data it is to be answered; then it must have all its definitions."""
    return SOURCE.search(rest) is not None


def require_definitions(rest: str, reading: Reading) -> None:
    """Raises Unreadable for the first definition that a precise text lacks."""
    for name, pattern in _needed_in_region(reading) if reading.region else _needed_around(reading):
        if not pattern.search(rest):
            raise Unreadable(name, f"nothing like {pattern.pattern!r} is said")
    if reading.region and reading.asks != "count" and reading.clipped is None:
        raise Unreadable("semantics", "not said what counts of that which leaves the region")


def _needed_around(reading: Reading) -> Iterator[Need]:
    yield "measure", STRAIGHT
    yield "measure", OVER_GROUND
    yield "reference point", AS_POINTS
    if reading.sector is not None or reading.towards:
        yield "sector", WIDTH
    if reading.asks == "azimuth":
        yield "answer", FULL_TURN
    if reading.asks == "count":
        yield "answer", NAMELESS_TOO
    elif reading.distance is not None:
        yield "answer", ANY_IS_RIGHT


def _needed_in_region(reading: Reading) -> Iterator[Need]:
    if reading.asks == "count":
        yield "reference point", AS_POINTS
        yield "answer", NAMELESS_TOO
        return
    is_area = reading.kind in GROUNDS
    yield "measure", OVER_GROUND
    if reading.asks in ("largest", "longest"):
        yield "answer", NAMED_ONLY
    if reading.asks == "largest":
        yield "answer", EACH_ALONE
    if reading.asks == "area":
        yield "answer", OVERLAP_ONCE
    if reading.asks == "longest":
        yield "answer", ADDED_UP
    if not is_area:
        yield "answer", CARRIAGEWAYS
        yield "border", BORDER_WAYS
