"""Readings: distances and azimuths from many points to many, by several measures. Degrees and metres.

On the ellipsoid they are told by straight chords through the earth: for what is at most 300 km apart, off by less than
SLACK metres and SLACK_DEGREES from the geodesics that gold is measured by. Whoever decides by them leaves so much room.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.questions.second_path.geodesy import Floats, Positions, earth_centred

SPHERE_METRES = 6_371_008.8
"""The mean radius of the earth (IUGG), as UrbanGeoEval's sphere has it."""
SLACK = 0.6
"""A chord of 300 km is 27.8 m shorter than its arc, or 27.2 m where the earth bends least."""
SLACK_DEGREES = 0.01
HALF_SECTOR = 22.5
"""Degrees to either side of the direction of a sector."""
Flags = NDArray[np.bool_]


class Sight(NamedTuple):
    """What is seen from each of n points of k others, (n, k): metres, and degrees clockwise from north."""

    distance: Floats
    azimuth: Floats


Measure = Callable[[Floats, Floats], Sight]
"""From (n, 2) and (k, 2) points in lon, lat."""


def on_ellipsoid(origins: Floats, goals: Floats) -> Sight:
    """By chords, and by the direction in which the chord leaves the ground."""
    lam, phi = np.radians(origins[:, 0])[:, None], np.radians(origins[:, 1])[:, None]
    here = earth_centred(origins[:, 0], origins[:, 1])
    there = earth_centred(goals[:, 0], goals[:, 1])
    x, y, z = (there[None, :, axis] - here[:, None, axis] for axis in range(3))
    chord = np.sqrt(x * x + y * y + z * z)
    east = y * np.cos(lam) - x * np.sin(lam)
    north = z * np.cos(phi) - (x * np.cos(lam) + y * np.sin(lam)) * np.sin(phi)
    arc = 2 * SPHERE_METRES * np.arcsin(np.minimum(1.0, chord / (2 * SPHERE_METRES)))
    return Sight(arc, np.mod(np.degrees(np.arctan2(east, north)), 360.0))


def on_sphere(origins: Floats, goals: Floats) -> Sight:
    """Great circles on a sphere: the haversine, and the initial bearing."""
    lam, phi = np.radians(origins[:, 0])[:, None], np.radians(origins[:, 1])[:, None]
    across, other = np.radians(goals[:, 0])[None, :] - lam, np.radians(goals[:, 1])[None, :]
    squared = np.sin((other - phi) / 2) ** 2 + np.cos(phi) * np.cos(other) * np.sin(across / 2) ** 2
    east = np.sin(across) * np.cos(other)
    north = np.cos(phi) * np.sin(other) - np.sin(phi) * np.cos(other) * np.cos(across)
    distance = 2 * SPHERE_METRES * np.arcsin(np.minimum(1.0, np.sqrt(squared)))
    return Sight(distance, np.mod(np.degrees(np.arctan2(east, north)), 360.0))


def on_plane(origins: Floats, goals: Floats) -> Sight:
    """Straight lines in an equirectangular plane around each origin."""
    turned = np.mod(goals[None, :, 0] - origins[:, 0, None] + 180.0, 360.0) - 180.0
    east = SPHERE_METRES * np.radians(turned) * np.cos(np.radians(origins[:, 1]))[:, None]
    north = SPHERE_METRES * np.radians(goals[None, :, 1] - origins[:, 1, None])
    return Sight(np.hypot(east, north), np.mod(np.degrees(np.arctan2(east, north)), 360.0))


MEASURES: dict[str, Measure] = {"sphere": on_sphere, "plane": on_plane}
"""The measures that a reading may take, by the name of the reading."""


class Spans(NamedTuple):
    """Of each of k places, from each of n points, (n, k)."""

    least: Floats
    most: Floats
    """Metres to the nearest and to the farthest point of the place."""
    surely: Flags
    maybe: Flags
    """Whether all of the place's points, or any of them, lie in the sector; True where there is none."""


class Sector(NamedTuple):
    """The half-open sector around a direction, told for each of n points, (n, 1) each, in degrees.

    The direction may be turned from `back` (zero or less) to `forth` (zero or more), as one that leads to an area. The
    sector reaches `half` degrees to either side.
    """

    direction: Floats
    back: Floats
    forth: Floats
    half: float = HALF_SECTOR


def span(sight: Sight, starts: Positions, sector: Sector | None) -> Spans:
    """The points of places, of which each begins at a column of `starts`, drawn together."""
    least = np.minimum.reduceat(sight.distance, starts, axis=1)
    most = np.maximum.reduceat(sight.distance, starts, axis=1)
    if sector is None:
        everywhere = np.ones(least.shape, dtype=bool)
        return Spans(least, most, everywhere, everywhere)
    turned = turn(sight.azimuth, sector.direction)
    surely = (turned >= -sector.half + sector.forth) & (turned < sector.half + sector.back)
    maybe = (turned >= -sector.half + sector.back) & (turned < sector.half + sector.forth)
    return Spans(
        least,
        most,
        np.logical_and.reduceat(surely, starts, axis=1),
        np.logical_or.reduceat(maybe, starts, axis=1),
    )


def turn(azimuth: Floats, direction: Floats) -> Floats:
    """Degrees from a direction to azimuths, clockwise, in [-180, 180)."""
    return np.asarray(np.mod(azimuth - direction + 180.0, 360.0) - 180.0)
