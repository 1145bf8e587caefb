"""The arguments that several tools share: where something is, and how many results are wanted.

A place is written as its id (`n123`, `w123`, `r123`), a point as `latitude,longitude` in degrees.
"""

import re
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

PLACE_ID = re.compile(r"[nwr][0-9]{1,18}")
POINT = re.compile(r"\s*([+-]?[0-9]{1,3}(?:\.[0-9]{1,15})?)\s*,\s*([+-]?[0-9]{1,3}(?:\.[0-9]{1,15})?)\s*")
LONGEST_TEXT = 200
"""Characters of a name that a tool is asked for."""
LONGEST_WHERE = 60


class Point(NamedTuple):
    """A point in degrees, WGS84."""

    lat: float
    lon: float


def read_point(said: str) -> Point | None:
    """The point that `said` writes as `latitude,longitude`; None where it is no such text."""
    found = POINT.fullmatch(said)
    return Point(float(found[1]), float(found[2])) if found else None


def _check_where(said: str) -> str:
    if PLACE_ID.fullmatch(said):
        return said
    point = read_point(said)
    if point is None:
        raise ValueError("write the id of a place, such as n123, or a point as latitude,longitude in degrees")
    if abs(point.lat) > 90 or abs(point.lon) > 180:
        swapped = abs(point.lat) <= 180 and abs(point.lon) <= 90
        hint = "; the two seem to be swapped: latitude comes first" if swapped else ""
        raise ValueError(f"a latitude is at most 90 and a longitude at most 180 degrees{hint}")
    return said


def _check_text(said: str) -> str:
    if not said.isprintable():
        raise ValueError("a text must not hold control characters")
    if not any(map(str.isalnum, said)):
        raise ValueError("a text must hold a letter or a digit")
    return said


def _check_place(said: str) -> str:
    if not PLACE_ID.fullmatch(said):
        raise ValueError("write the id of a place, such as n123; place_search finds ids by names")
    return said


Where = Annotated[str, Field(max_length=LONGEST_WHERE), AfterValidator(_check_where)]
"""The id of a place, or a point."""
PlaceId = Annotated[str, Field(max_length=LONGEST_WHERE), AfterValidator(_check_place)]
"""The id of a place."""
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), AfterValidator(_check_text)]
"""A name or words."""
