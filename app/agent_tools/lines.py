"""Places on lines, in lon, lat: the nearest one, a part of a line, and on which side something lies. Pure.

Near a place, degrees of longitude count as many as degrees of latitude times the cosine of its latitude.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyproj import Geod

Point = tuple[float, float]
"""Degrees: lon, lat."""
Numbers = NDArray[np.float64]
Side = Literal["left", "right", "ahead", "behind"]

GEOD = Geod(ellps="WGS84")
AHEAD = 30.0
"""Degrees from the direction of travel up to which something lies ahead."""


class OnLine(NamedTuple):
    """The place on a line that is nearest to a point; how far away the point is, and on which side of the line."""

    segment: int
    point: Point
    metres: float
    side: Literal["left", "right"]


def find_on_line(line: Numbers, point: Point) -> OnLine:
    """The place on a line (a row a point, two at least) that is nearest to a point."""
    scale = np.array([np.cos(np.radians(point[1])), 1.0])
    corners = (line - np.array(point)) * scale
    starts, runs = corners[:-1], np.diff(corners, axis=0)
    lengths = (runs**2).sum(axis=1)
    shares = np.divide(-(starts * runs).sum(axis=1), lengths, out=np.zeros(len(runs)), where=lengths > 0)
    nearest = starts + runs * np.clip(shares, 0, 1)[:, None]
    away = (nearest**2).sum(axis=1)
    if lengths.any():
        away[lengths == 0] = np.inf  # two points at one place have no sides
    segment = int(np.argmin(away))
    lon, lat = nearest[segment] / scale + np.array(point)
    _, _, metres = GEOD.inv(lon, lat, *point)
    across = runs[segment][0] * -starts[segment][1] + runs[segment][1] * starts[segment][0]
    return OnLine(segment, (float(lon), float(lat)), float(metres), "left" if across > 0 else "right")


def cut_line(line: Sequence[Point], start: Point | None, end: Point | None) -> tuple[Point, ...]:
    """The part of a line from the place nearest to `start` to the one nearest to `end`; None for its own ends."""
    corners = np.array(line)
    first = find_on_line(corners, start) if start else None
    last = find_on_line(corners, end) if end else None
    begin, stop = (first.segment + 1 if first else 0), (last.segment + 1 if last else len(line))
    return (
        *([first.point] if first else []),
        *line[begin : max(begin, stop)],
        *([last.point] if last else []),
    )


def metres_of(line: Sequence[Point]) -> float:
    """The length of a line along geodesics."""
    return float(GEOD.line_length([lon for lon, _ in line], [lat for _, lat in line]))


def metres_along(line: Numbers) -> Any:
    """Metres from the beginning of a line to each of its points."""
    _, _, lengths = GEOD.inv(line[:-1, 0], line[:-1, 1], line[1:, 0], line[1:, 1])
    return np.concatenate(([0.0], np.cumsum(lengths)))


def find_side(direction: float, here: Point, there: Point) -> Side:
    """Where a place lies for somebody who is at `here` and goes in a direction, in degrees clockwise from north."""
    azimuth, _, _ = GEOD.inv(*here, *there)
    turned = (azimuth - direction + 180) % 360 - 180
    if abs(turned) <= AHEAD:
        return "ahead"
    if abs(turned) >= 180 - AHEAD:
        return "behind"
    return "right" if turned > 0 else "left"
