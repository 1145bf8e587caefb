"""Second path: measures on the WGS84 ellipsoid, by pyproj's Geod (Karney's geodesics), vectorised with numpy.

Lon, lat are degrees; distances metres along the geodesic; azimuths degrees clockwise from north in [0, 360).
Searches are cut short by straight chords through the earth, which know no poles and no antimeridian.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import Geod
from shapely import GeometryType

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]

GEOD = Geod(ellps="WGS84")
_SEMI_MAJOR = 6378137.0
_FLATTENING = 1 / 298.257223563
_ECCENTRICITY_2 = _FLATTENING * (2 - _FLATTENING)
_SHARPEST_RADIUS = _SEMI_MAJOR * (1 - _FLATTENING) ** 2
"""The smallest radius of curvature of the ellipsoid: along the meridian, at the equator."""

_LINES = (GeometryType.LINESTRING, GeometryType.LINEARRING)
_HOLDING_LINES = (GeometryType.MULTILINESTRING, GeometryType.GEOMETRYCOLLECTION)

LONGEST_EDGE = 1000.0
"""Boundary edges longer than this are split along their geodesic, in metres."""

_CHORD_SLACK = 1e-3
"""Metres added wherever chords only pre-select: far above their rounding, far below any margin."""


def earth_centred(lon: Any, lat: Any) -> Floats:
    """Points on the ellipsoid as (n, 3) metres from the earth's centre."""
    lam, phi = np.radians(np.atleast_1d(lon)), np.radians(np.atleast_1d(lat))
    across = _SEMI_MAJOR / np.sqrt(1 - _ECCENTRICITY_2 * np.sin(phi) ** 2)
    return np.column_stack(
        (
            across * np.cos(phi) * np.cos(lam),
            across * np.cos(phi) * np.sin(lam),
            across * (1 - _ECCENTRICITY_2) * np.sin(phi),
        )
    )


def chords(place: Floats, places: Floats) -> Floats:
    """Straight distances from one earth-centred point to many; never longer than the geodesics."""
    x, y, z = (places[:, axis] - place[axis] for axis in range(3))
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def longest_geodesic(chord: float) -> float:
    """The most metres that a geodesic over `chord` can have.

    A geodesic bends nowhere more than a circle of the sharpest radius does, so by Schur's comparison theorem
    its chord is at least that circle's. Infinite for chords from which the theorem says nothing.
    """
    half = chord / (2 * _SHARPEST_RADIUS)
    return float(2 * _SHARPEST_RADIUS * np.arcsin(half)) if half < 1 else float("inf")


def measure(lon: float, lat: float, lons: Floats, lats: Floats) -> tuple[Floats, Floats]:
    """Distances and azimuths from one point to many; the azimuth to the point itself is NaN."""
    forward, _, distance = GEOD.inv(np.full(len(lons), lon), np.full(len(lats), lat), lons, lats)
    azimuth = np.mod(np.asarray(forward), 360.0)
    azimuth[azimuth == 360.0] = 0.0  # what np.mod makes of a tiny negative number
    distance = np.asarray(distance)
    azimuth[distance < 1e-6] = np.nan
    return distance, azimuth


def circular_difference(one: Any, other: Any) -> Any:
    """The smaller angle between two directions, in degrees of [0, 180]."""
    return np.abs(np.mod(np.asarray(one) - other + 180.0, 360.0) - 180.0)


def spheroid_area(geometry: Any) -> float:
    """Square metres inside a geometry's polygons; rings may turn either way, lines and points count 0."""
    total = 0.0
    for part in shapely.get_parts(geometry, return_index=False):
        if part.geom_type == "GeometryCollection":
            total += spheroid_area(part)
        elif part.geom_type == "Polygon" and not part.is_empty:
            total += _ring_area(part.exterior) - sum(_ring_area(ring) for ring in part.interiors)
    return total


def spheroid_length(geometry: Any) -> float:
    """Metres along a geometry's lines; points and polygons count 0."""
    kind = shapely.get_type_id(geometry)
    if kind in _LINES:
        return _line_length(geometry)
    total = 0.0
    for part in shapely.get_parts(geometry) if kind in _HOLDING_LINES else ():
        # one after the other: Python's sum() adds floats otherwise from 3.12 on
        total += spheroid_length(part)
    return total


def spheroid_lengths(geometries: Sequence[Any]) -> list[float]:
    """As `spheroid_length` of each, to the bit: all edges at once, their metres added up one after the other."""
    shapes = np.array(geometries, dtype=object)
    parts, of_shape = shapely.get_parts(shapes, return_index=True)
    kinds = shapely.get_type_id(parts)
    lines = np.nonzero(np.isin(kinds, _LINES))[0]
    corners, of_line = shapely.get_coordinates(parts[lines], return_index=True)
    starts = np.nonzero(of_line[1:] == of_line[:-1])[0]
    lons, lats = corners[:, 0], corners[:, 1]
    _, _, metres = GEOD.inv(lons[starts], lats[starts], lons[starts + 1], lats[starts + 1])
    of_parts = np.zeros(len(parts))
    of_parts[lines] = np.bincount(of_line[starts], metres, len(lines))
    for one in np.nonzero(np.isin(kinds, _HOLDING_LINES))[0]:
        of_parts[one] = spheroid_length(parts[one])
    return list(np.bincount(of_shape, of_parts, len(shapes)).tolist())


def _line_length(line: Any) -> float:
    corners = shapely.get_coordinates(line)
    return float(GEOD.line_length(corners[:, 0], corners[:, 1])) if len(corners) else 0.0


def _ring_area(ring: Any) -> float:
    corners = shapely.get_coordinates(ring)
    area, _ = GEOD.polygon_area_perimeter(corners[:, 0], corners[:, 1])
    return abs(float(area))


class Found(NamedTuple):
    """A point of a set: its position in the layer, its distance and azimuth from where one stands."""

    position: int
    distance: float
    azimuth: float


class Points:
    """Points of a layer that one question can be about; `positions` are theirs in the layer, ascending."""

    def __init__(self, positions: Positions, coordinates: Floats, keys: list[str]) -> None:
        self.positions = positions
        self.coordinates = coordinates[positions]
        self._keys = keys
        self._places = earth_centred(self.coordinates[:, 0], self.coordinates[:, 1])

    def __len__(self) -> int:
        return len(self.positions)

    def within(self, lon: float, lat: float, reach: float, skip: int | None = None) -> list[Found]:
        """Every point at most `reach` metres away, by distance and osm_key; `skip` is a position left out."""
        straight = self._straight(lon, lat, skip)
        near = np.nonzero(straight <= reach + _CHORD_SLACK)[0]
        return [found for found in self._measured(lon, lat, near) if found.distance <= reach]

    def nearest(self, lon: float, lat: float, skip: int | None = None) -> list[Found]:
        """The nearest point, surely the second nearest, and all others up to `margin` past the nearest."""
        straight = self._straight(lon, lat, skip)
        finite = int(np.count_nonzero(np.isfinite(straight)))
        if finite == 0:
            return []
        shortest = np.partition(straight, min(1, finite - 1))[: min(2, finite)]
        first = longest_geodesic(float(shortest[0]))
        reach = max(first + margin(first), longest_geodesic(float(shortest[-1])))
        near = np.nonzero((straight <= reach + _CHORD_SLACK) & np.isfinite(straight))[0]
        return self._measured(lon, lat, near)

    def first(self, count: int, lon: float, lat: float, skip: int | None = None) -> list[Found]:
        """The nearest `count` points by distance and osm_key; fewer where there are fewer."""
        straight = self._straight(lon, lat, skip)
        finite = int(np.count_nonzero(np.isfinite(straight)))
        if finite == 0:
            return []
        farthest = float(np.partition(straight, min(count, finite) - 1)[min(count, finite) - 1])
        reach = longest_geodesic(farthest)
        near = np.nonzero((straight <= reach + _CHORD_SLACK) & np.isfinite(straight))[0]
        return self._measured(lon, lat, near)[:count]

    def nearest_around(self, lon: float, lat: float, centre: float, skip: int | None = None) -> list[Found]:
        """All points, in the sector around the azimuth `centre` or not, up to `margin` past the sector's nearest and
        as far as its second nearest. Empty where no point is in the sector.
        """
        straight = self._straight(lon, lat, skip)
        total = int(np.count_nonzero(np.isfinite(straight)))
        if total == 0:
            return []
        taken = 32
        while True:
            taken = min(taken, total)
            near = np.argpartition(straight, taken - 1)[:taken]
            distance, azimuth = measure(lon, lat, self.coordinates[near, 0], self.coordinates[near, 1])
            inside = np.sort(distance[is_around(azimuth, centre)])[:2].tolist()
            reach = max(inside[0] + margin(inside[0]), inside[-1]) if inside else np.inf
            # Whoever is not taken is at least as far as the farthest chord.
            if taken == total or (len(inside) > 1 and reach < float(straight[near].max())):
                return self._sorted(near, distance, azimuth, distance <= reach) if inside else []
            taken *= 4

    def _straight(self, lon: float, lat: float, skip: int | None) -> Floats:
        straight = chords(earth_centred(lon, lat)[0], self._places)
        if skip is not None:
            straight[self.positions == skip] = np.inf
        return straight

    def _measured(self, lon: float, lat: float, near: Positions) -> list[Found]:
        distance, azimuth = measure(lon, lat, self.coordinates[near, 0], self.coordinates[near, 1])
        return self._sorted(near, distance, azimuth, np.ones(len(near), dtype=bool))

    def _sorted(self, near: Positions, distance: Floats, azimuth: Floats, kept: Any) -> list[Found]:
        columns = (self.positions[near][kept].tolist(), distance[kept].tolist(), azimuth[kept].tolist())
        found = [Found(*one) for one in zip(*columns, strict=True)]
        return sorted(found, key=lambda one: (one.distance, self._keys[one.position]))


def margin(nearest: float) -> float:
    """How many metres the second must be behind a nearest that is `nearest` metres away."""
    return max(10.0, 0.02 * nearest)


def is_around(azimuth: Any, centre: float) -> Any:
    """Whether azimuths lie in the half-open sector of 45 degrees around `centre`; NaN lies in none.

    Exact at the edges of the eight sectors: no difference is rounded there, so none lies in two or in none.
    """
    turned = np.asarray(azimuth) - centre
    aside = turned - 360.0 * np.round(turned / 360.0)
    return (aside >= -22.5) & (aside < 22.5)


def is_in_box(coordinates: Floats, bounds: Floats, degrees: Any) -> NDArray[np.bool_]:
    """Which points of an (n, 2) array are in a box (west, south, east, north) or at most `degrees` outside."""
    lon, lat = coordinates[:, 0], coordinates[:, 1]
    west, south, east, north = bounds
    across = (lon >= west - degrees) & (lon <= east + degrees)
    return np.asarray(across & (lat >= south - degrees) & (lat <= north + degrees))


class Boundary:
    """The rings or lines of a geometry, for geodesic distances to them.

    Edges are geodesics between their ends, as in PostGIS geography. Long edges are split at LONGEST_EDGE.
    The nearest point is sought in the azimuthal equidistant plane centred where one stands (x, y from distance
    and azimuth): distances from the centre are exact there, and an edge of length L at distance D bends by less
    than D L^2 / (8 R^2), so 0.1 mm at 30 km and 1 cm at 3,000 km.
    """

    def __init__(self, geometry: Any) -> None:
        outline = geometry if shapely.get_dimensions(geometry) < 2 else shapely.boundary(geometry)
        lines = [shapely.get_coordinates(part) for part in shapely.get_parts(outline)]
        self._lines = [_split(line) for line in lines if len(line) > 1]
        nothing = [np.empty((0, 2))]
        self._from = np.concatenate([line[:-1] for line in self._lines] or nothing)
        self._to = np.concatenate([line[1:] for line in self._lines] or nothing)
        self._from_places = earth_centred(self._from[:, 0], self._from[:, 1])
        self._to_places = earth_centred(self._to[:, 0], self._to[:, 1])
        straight = self._to_places - self._from_places
        # 1.0000001: from chord to geodesic, for edges of at most LONGEST_EDGE.
        self._lengths = np.sqrt((straight**2).sum(axis=1)) * 1.0000001
        self._drawn: Any = None

    def distance(self, lon: float, lat: float) -> float:
        """Metres to the nearest point of the boundary; infinite where there is none."""
        if not len(self._from):
            return float("inf")
        place = earth_centred(lon, lat)[0]
        from_here, to_here = chords(place, self._from_places), chords(place, self._to_places)
        at_most = longest_geodesic(float(from_here.min()))
        # Triangle inequality: no point of an edge is nearer than half of (both ends' distances - its length).
        near = np.nonzero((from_here + to_here - self._lengths) / 2 <= at_most + _CHORD_SLACK)[0]
        if np.isinf(at_most):
            near = np.arange(len(self._from))
        one, other = self._plane(lon, lat, self._from[near]), self._plane(lon, lat, self._to[near])
        along = other - one
        length_2 = (along**2).sum(axis=1)
        share = -(one * along).sum(axis=1) / np.where(length_2 > 0, length_2, 1.0)
        nearest = one + np.clip(share, 0.0, 1.0)[:, None] * along
        return float(np.hypot(nearest[:, 0], nearest[:, 1]).min())

    def within(self, coordinates: Floats, reach: float) -> list[tuple[int, float]]:
        """(index, metres) of each point of an (n, 2) array that is at most `reach` metres away."""
        if not len(self._from) or not len(coordinates):
            return []
        if self._drawn is None:
            self._drawn = shapely.multilinestrings([shapely.linestrings(line) for line in self._lines])
            shapely.prepare(self._drawn)
        # A degree of latitude has at least 110,574 m, one of longitude 111,319 m times the latitude's cosine; 1 m
        # for the bend of split edges between lon/lat and geodesic. Doubled, since this only pre-selects. Near
        # poles and antimeridian, where degrees mislead, every point is measured.
        lon, lat = np.abs(coordinates[:, 0]), np.abs(coordinates[:, 1])
        odd = (lon > 179.0) | (lat > 89.0)
        degrees = 2 * (reach + 1.0) / (110574.0 * np.cos(np.radians(np.minimum(lat, 89.0))))
        near = is_in_box(coordinates, shapely.bounds(self._drawn), degrees)
        near[near] = shapely.dwithin(self._drawn, shapely.points(coordinates[near]), degrees[near])
        near |= odd
        found = []
        for index in np.nonzero(near)[0].tolist():
            distance = self.distance(float(coordinates[index, 0]), float(coordinates[index, 1]))
            if distance <= reach:
                found.append((index, distance))
        return found

    @staticmethod
    def _plane(lon: float, lat: float, coordinates: Floats) -> Floats:
        distance, azimuth = measure(lon, lat, coordinates[:, 0], coordinates[:, 1])
        angle = np.radians(np.nan_to_num(azimuth))
        return np.column_stack((distance * np.sin(angle), distance * np.cos(angle)))


def _split(line: Floats) -> Floats:
    """The vertices of a line with more on each edge longer than LONGEST_EDGE, evenly along its geodesic."""
    forward, _, length = GEOD.inv(line[:-1, 0], line[:-1, 1], line[1:, 0], line[1:, 1])
    pieces, done = [], 0
    for edge in np.nonzero(np.asarray(length) > LONGEST_EDGE)[0].tolist():
        steps = int(np.ceil(length[edge] / LONGEST_EDGE))
        offsets = length[edge] / steps * np.arange(1, steps)
        same = np.ones(steps - 1)
        lon, lat, _ = GEOD.fwd(line[edge, 0] * same, line[edge, 1] * same, forward[edge] * same, offsets)
        pieces += [line[done : edge + 1], np.column_stack((lon, lat))]
        done = edge + 1
    return np.vstack((*pieces, line[done:]))
