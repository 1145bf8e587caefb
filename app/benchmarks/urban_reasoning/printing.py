"""How contexts print coordinates, and which point somebody reads there. Pure.

Two notations, as in the paper's cases: degrees with five decimals (Figure 34), and degrees, minutes and whole seconds
with the letter of the hemisphere (Figure 33).
"""

from typing import NamedTuple

from app.benchmarks.urban_reasoning.truth.sphere import Point

DECIMAL, SEXAGESIMAL = "decimal degrees", "degrees, minutes and seconds"
DECIMALS = 5


class PrintedPoint(NamedTuple):
    """The text of a point, latitude first, and the point that it tells."""

    text: str
    point: Point


def print_point(lon: float, lat: float, notation: str) -> PrintedPoint:
    """A point in a notation."""
    if notation == DECIMAL:
        rounded = Point(round(lat, DECIMALS), round(lon, DECIMALS))
        return PrintedPoint(f"({rounded.lat:.{DECIMALS}f}, {rounded.lon:.{DECIMALS}f})", rounded)
    seconds = Point(round(lat * 3600), round(lon * 3600))
    text = f"{_sexagesimal(seconds.lat, 'NS')} {_sexagesimal(seconds.lon, 'EW')}"
    return PrintedPoint(text, Point(seconds.lat / 3600, seconds.lon / 3600))


def _sexagesimal(seconds: float, letters: str) -> str:
    whole = abs(int(seconds))
    return f"{whole // 3600}°{whole // 60 % 60}'{whole % 60}\"{letters[seconds < 0]}"
