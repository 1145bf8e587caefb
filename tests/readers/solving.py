"""The reader's own solution: from a reading and the map's layers to the answer, by its own trees and geodesics."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from pyproj import Geod

from tests.readers.places import Atlas, Fact, Thing
from tests.readers.text import Reading
from tests.readers.vocabulary import HALF_SECTOR, Filter, Kind

GEOD = Geod(ellps="WGS84")
METRES_A_DEGREE = 110_574.0
"""Of latitude at the equator, where a degree is shortest."""
START = 500.0
"""Metres around an anchor that are looked at first."""


@dataclass(frozen=True)
class Found:
    """A place as seen from the anchor: metres, degrees clockwise from true north, and signed degrees off the middle
    of the sector (0 where no direction is asked for).
    """

    thing: Thing
    distance: float
    azimuth: float
    aside: float = 0.0


@dataclass(frozen=True)
class Part:
    """What of a thing lies in a region, and its square metres or metres."""

    thing: Thing
    shape: Any
    measure: float


@dataclass(frozen=True)
class Solution:
    """Places that answer, nearest or largest first; or a number; or what a source says of the first place."""

    places: Sequence[Found] = ()
    number: float | None = None
    fact: Fact | None = None
    parts: Sequence[Part] = ()
    """What is largest, or all that is called as the longest."""


@dataclass
class Solver:
    """Solves readings on one map; trees are made when first needed."""

    atlas: Atlas
    _trees: dict[Any, tuple[list[Thing], Any]] = field(default_factory=dict)

    def solve(self, reading: Reading) -> Solution:
        """What is asked for; places within a distance are all those that a plain reading of the text includes."""
        if reading.region:
            return _IN_REGION[reading.asks](self, reading)
        near = self.seen(reading, reading.distance)
        inside = [one for one in near if self.is_inside(reading, one)]
        if reading.distance is None:
            inside = inside[:1]
        if reading.asks == "count":
            return Solution(number=len(inside))
        if reading.asks == "fact" and inside:
            return Solution(inside, fact=self._fact(reading, inside[0].thing))
        return Solution(inside)

    def is_inside(self, reading: Reading, one: Found) -> bool:
        """Whether a place is within the distance and in the half-open sector, and named where its name is wanted."""
        near = reading.distance is None or one.distance <= reading.distance
        ahead = reading.sector is None and reading.towards is None
        named = reading.asks != "name" or reading.distance is None or one.thing.name is not None
        return near and named and (ahead or -HALF_SECTOR <= one.aside < HALF_SECTOR)

    def seen(self, reading: Reading, reach: float | None) -> list[Found]:
        """Places of the kind within `reach` metres, by distance; or so far that one surely is the nearest."""
        assert reading.kind
        anchor = self.atlas.things["poi"][str(reading.anchor)]
        things, tree = self._tree(reading.kind, reading.narrowed)
        wanted, radius = reach, reach or START
        while True:
            box = _box(anchor, radius)
            found = [
                one
                for index in tree.query(box)
                if things[index].key != anchor.key
                for one in [self._found(reading, anchor, things[index])]
                if one.distance <= radius
            ]
            nearest_is_there = any(self.is_inside(reading, one) for one in found)
            if wanted is not None or nearest_is_there or radius > math.pi * GEOD.a:
                return sorted(found, key=lambda one: (one.distance, one.thing.key))
            radius *= 2

    def _found(self, reading: Reading, anchor: Thing, thing: Thing) -> Found:
        azimuth, distance = _measure(anchor, thing)
        middle = 0.0
        if reading.towards:
            middle, _ = _measure(anchor, self.atlas.things["poi"][reading.towards])
        elif reading.sector is not None:
            middle = 45.0 * reading.sector
        return Found(thing, distance, azimuth, (azimuth - middle + 180) % 360 - 180)

    def _tree(self, kind: Kind, narrowed: Filter | None) -> tuple[list[Thing], Any]:
        """The things of a kind, and an STRtree over them."""
        wanted = (kind, narrowed)
        if wanted not in self._trees:
            things = [
                thing
                for thing in self.atlas.layers[kind.layer]
                if kind.classes is None or not kind.classes.isdisjoint(thing.classes)
                if narrowed is None or _has(thing, narrowed)
            ]
            self._trees[wanted] = things, shapely.STRtree([thing.geometry for thing in things])
        return self._trees[wanted]

    def _fact(self, reading: Reading, thing: Thing) -> Fact | None:
        """What the source that is asked says of a place."""
        attribute, _, credit = str(reading.fact).partition("@")
        said = self.atlas.facts_of.get((thing.key, attribute), ())
        return next((fact for fact in said if fact.credit == credit), None)

    # --- in a region ----------------------------------------------------------------------------------------

    def _meeting(self, reading: Reading, dimension: int) -> list[Thing]:
        """Things of the kind that share more than the border with the region."""
        assert reading.kind
        region = self._region(reading)
        things, tree = self._tree(reading.kind, None)
        met = [things[index] for index in sorted(tree.query(region, predicate="intersects"))]
        return [
            thing
            for thing in met
            if shapely.get_dimensions(thing.geometry) == dimension and not region.touches(thing.geometry)
        ]

    def _region(self, reading: Reading) -> Any:
        return self.atlas.things["region"][str(reading.region)].geometry

    def _count(self, reading: Reading) -> Solution:
        return Solution(number=len(self._meeting(reading, 0)))

    def _area(self, reading: Reading) -> Solution:
        ground = shapely.union_all([thing.geometry for thing in self._meeting(reading, 2)])
        counted = ground.intersection(self._region(reading)) if reading.clipped else ground
        return Solution(number=area_of(counted))

    def _length(self, reading: Reading) -> Solution:
        region = self._region(reading)
        lines = [thing.geometry for thing in self._meeting(reading, 1)]
        return Solution(
            number=sum(length_of(_inside(line, region) if reading.clipped else line) for line in lines)
        )

    def _largest(self, reading: Reading) -> Solution:
        return Solution(parts=sorted(self._parts(reading, 2, area_of), key=lambda part: -part.measure)[:1])

    def _longest(self, reading: Reading) -> Solution:
        by_name: dict[str | None, list[Part]] = {}
        for part in self._parts(reading, 1, length_of):
            by_name.setdefault(part.thing.name, []).append(part)
        totals = sorted(by_name.values(), key=lambda parts: -sum(part.measure for part in parts))
        return Solution(parts=totals[0] if totals else ())

    def _parts(self, reading: Reading, dimension: int, measure: Callable[[Any], float]) -> Iterator[Part]:
        """What of named things lies inside."""
        region = self._region(reading)
        for thing in self._meeting(reading, dimension):
            if thing.name:
                shape = _inside(thing.geometry, region) if reading.clipped else thing.geometry
                yield Part(thing, shape, measure(shape))


_IN_REGION: Mapping[str, Callable[[Solver, Reading], Solution]] = {
    "count": Solver._count,
    "area": Solver._area,
    "length": Solver._length,
    "largest": Solver._largest,
    "longest": Solver._longest,
}


def _inside(shape: Any, region: Any) -> Any:
    """The part of a shape in a region. What lies in it whole is taken as it is drawn: an intersection would count a line
    that goes back over itself only once.
    """
    return shape if region.covers(shape) else shape.intersection(region)


def _has(thing: Thing, narrowed: Filter) -> bool:
    values = {value.strip() for value in thing.tags.get(narrowed.tag, "").split(";")}
    return not values.isdisjoint(narrowed.accepted)


def _measure(start: Thing, end: Thing) -> tuple[float, float]:
    """Azimuth in [0, 360) and metres of the geodesic between two points."""
    one, other = start.geometry, end.geometry
    azimuth, _, distance = GEOD.inv(one.x, one.y, other.x, other.y)
    return azimuth % 360, distance


def _box(centre: Thing, metres: float) -> Any:
    """A box in degrees that holds every point within `metres`."""
    lon, lat = centre.geometry.x, centre.geometry.y
    up = 1.01 * metres / METRES_A_DEGREE
    poleward = min(abs(lat) + up, 89.0)
    aside = up / math.cos(math.radians(poleward))
    return shapely.box(lon - aside, lat - up, lon + aside, lat + up)


def _parts(geometry: Any) -> Iterable[Any]:
    return (
        part
        for collection in shapely.get_parts(geometry).tolist()
        for part in shapely.get_parts(collection).tolist()
    )


def area_of(geometry: Any) -> float:
    """Square metres on the spheroid of all polygons in a geometry."""

    def ring(line: Any) -> float:
        return abs(GEOD.polygon_area_perimeter(*np.asarray(line.coords).T[:2])[0])

    polygons = [part for part in _parts(geometry) if part.geom_type == "Polygon" and not part.is_empty]
    return float(sum(ring(one.exterior) - sum(map(ring, one.interiors)) for one in polygons))


def length_of(geometry: Any) -> float:
    """Metres on the spheroid of all lines in a geometry."""
    lines = [part for part in _parts(geometry) if part.geom_type == "LineString" and not part.is_empty]
    return float(sum(GEOD.geometry_length(line) for line in lines))
