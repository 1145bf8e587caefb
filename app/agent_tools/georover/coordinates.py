"""Points as GeoRover's agents write them: [longitude, latitude] in degrees, as a list or in a text."""

import re
from math import isfinite
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, WithJsonSchema

from app.agent_tools.arguments import LONGEST_WHERE
from app.agent_tools.places import DECIMALS

_TEXT = re.compile(r"\s*\[?\s*([^\s,\[\]]+)\s*,\s*([^\s,\[\]]+)\s*\]?\s*")
FORM = "write a point as [longitude, latitude] in degrees"


class LonLat(NamedTuple):
    """A point in degrees, WGS84, longitude first."""

    lon: float
    lat: float

    def said(self) -> str:
        """The point as a text of a result: `9.5215,47.1393`."""
        return f"{self.lon},{self.lat}"


def read_coordinate(given: Any) -> LonLat:
    """The point that a list of two numbers or a text writes. Raises ValueError with what to write instead."""
    found = LonLat(*map(_read_degrees, _parts_of(given)))
    if abs(found.lat) > 90 or abs(found.lon) > 180:
        swapped = abs(found.lat) <= 180 and abs(found.lon) <= 90
        hint = "; the two seem to be swapped: longitude comes first" if swapped else ""
        raise ValueError(f"a longitude is at most 180 and a latitude at most 90 degrees{hint}")
    return found


def rounded(lon: float, lat: float) -> LonLat:
    """A point with as many decimals as OpenStreetMap keeps."""
    return LonLat(round(lon, DECIMALS), round(lat, DECIMALS))


def _parts_of(given: Any) -> tuple[Any, Any]:
    if isinstance(given, list | tuple) and len(given) == 1:
        given = given[0]
    if isinstance(given, str):
        found = _TEXT.fullmatch(given) if len(given) <= LONGEST_WHERE else None
        given = found.groups() if found else None
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise ValueError(FORM)
    first, second = given
    return first, second


def _read_degrees(part: Any) -> float:
    try:
        degrees = float(part) if isinstance(part, int | float | str) and not isinstance(part, bool) else None
    except (ValueError, OverflowError):
        degrees = None
    if degrees is None or not isfinite(degrees):
        raise ValueError(FORM)
    return degrees


Coordinate = Annotated[
    LonLat,
    BeforeValidator(read_coordinate),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]
"""A point as an argument or in a result."""
