"""The reader's own solution: from a reading and the map's layers to the answer, by its own trees and geodesics."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import shapely
from pyproj import Geod

from tests.readers.conventions import AS_MAPPED, Convention
from tests.readers.measuring import ELLIPSOID, SPHERE, area_of, box_around, gap, length_of, measure
from tests.readers.places import Atlas, Fact, Thing
from tests.readers.reading import Reading
from tests.readers.vocabulary import Filter, Kind

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
    """Solves readings on one map by one convention; trees are made when first needed."""

    atlas: Atlas
    convention: Convention = AS_MAPPED
    _trees: dict[Any, tuple[list[Thing], Any]] = field(default_factory=dict)

    @property
    def earth(self) -> Geod:
        """What is measured on."""
        return SPHERE if self.convention.on_sphere else ELLIPSOID

    def solve(self, reading: Reading) -> Solution:
        """What is asked for; places within a distance are all those that a plain reading of the text includes."""
        if reading.region:
            return _IN_REGION[reading.asks](self, reading)
        near = self.seen(reading, reading.distance)
        inside = [one for one in near if self.is_inside(reading, one)]
        if reading.distance is None:
            inside = inside[:1]
        if reading.asks == "count":
            return Solution(number=self._number_of([one.thing for one in inside]))
        if reading.asks == "fact" and inside:
            return Solution(inside, fact=self._fact(reading, inside[0].thing))
        return Solution(inside)

    # --- around an anchor -------------------------------------------------------------------------------------

    def is_inside(self, reading: Reading, one: Found) -> bool:
        """Whether a place is within the distance and in the half-open sector, and named where its name is wanted."""
        near = reading.distance is None or one.distance <= reading.distance
        ahead = reading.sector is None and reading.towards is None
        named = reading.asks != "name" or reading.distance is None or one.thing.name is not None
        half = self.convention.half_sector
        return near and named and (ahead or -half <= one.aside < half)

    def seen(self, reading: Reading, reach: float | None) -> list[Found]:
        """Places of the kind within `reach` metres, by distance; or so far that one surely is the nearest."""
        assert reading.kind
        start, goal = self._stands(reading, reading.anchor), self._stands(reading, reading.towards)
        middle = 45.0 * reading.sector if reading.sector is not None else None
        if goal:
            middle, _ = measure(start, goal, self.earth)
        shape = start if reading.anchor in reading.pinned else self._shape(str(reading.anchor), start)
        things, tree = self._tree(reading.kind, reading.narrowed)
        wanted, radius = reach, reach or START
        while True:
            found = [
                one
                for index in tree.query(box_around(shape, radius))
                if things[index].key != reading.anchor
                for one in [self._found(start, shape, middle, things[index])]
                if one.distance <= radius
            ]
            nearest_is_there = any(self.is_inside(reading, one) for one in found)
            if wanted is not None or nearest_is_there or radius > math.pi * ELLIPSOID.a:
                return sorted(found, key=lambda one: (one.distance, one.thing.key))
            radius *= 2

    def _found(self, start: Any, shape: Any, middle: float | None, thing: Thing) -> Found:
        azimuth, distance = measure(start, thing.geometry, self.earth)
        other = self._shape(thing.key, thing.geometry)
        if shape is not start or other is not thing.geometry:
            distance = gap(shape, other, self.earth)
        aside = 0.0 if middle is None else (azimuth - middle + 180) % 360 - 180
        return Found(thing, distance, azimuth, aside)

    def _stands(self, reading: Reading, key: str | None) -> Any:
        """The point of a place that a text names: the one that the text tells, or that of the convention."""
        if key is None:
            return None
        thing = self.atlas.things["poi"][key]
        return thing.geometry if key in reading.pinned else self._placed(thing).geometry

    def _shape(self, key: str, point: Any) -> Any:
        """What of a place distances are measured to: its ground where they are from edge to edge, else its point."""
        return self.atlas.grounds.get(key, point) if self.convention.by_edges else point

    def _placed(self, thing: Thing) -> Thing:
        """A place where the convention has it."""
        ground = self.atlas.grounds.get(thing.key)
        if ground is None or self.convention.point is None:
            return thing
        return replace(thing, geometry=self.convention.point(ground))

    def _tree(self, kind: Kind, narrowed: Filter | None) -> tuple[list[Thing], Any]:
        """The things of a kind, and an STRtree over them."""
        wanted = (kind, narrowed)
        if wanted not in self._trees:
            left_out = self.convention.leaves_out
            things = [
                self._placed(thing) if kind.layer == "poi" else thing
                for thing in self.atlas.layers[kind.layer]
                if kind.classes is None or not kind.classes.isdisjoint(thing.classes)
                if narrowed is None or _has(thing, narrowed)
                if left_out is None or not left_out(thing)
            ]
            shapes = [self._shape(thing.key, thing.geometry) for thing in things]
            self._trees[wanted] = things, shapely.STRtree(shapes)
        return self._trees[wanted]

    def _number_of(self, things: Sequence[Thing]) -> int:
        return sum(not (self.convention.once and self._is_part(thing, things)) for thing in things)

    def _is_part(self, thing: Thing, things: Sequence[Thing]) -> bool:
        """Whether a place lies on the ground of another of its name."""
        return any(
            thing.name and thing.name == other.name and self.atlas.grounds[other.key].covers(thing.geometry)
            for other in things
            if other.key != thing.key and other.key in self.atlas.grounds
        )

    def _fact(self, reading: Reading, thing: Thing) -> Fact | None:
        """What the source that is asked says of a place; where none is named, what any says."""
        attribute, _, credit = str(reading.fact).partition("@")
        said = self.atlas.facts_of.get((thing.key, attribute), ())
        return next((fact for fact in said if credit in ("", fact.credit)), None)

    # --- in a region ------------------------------------------------------------------------------------------

    def _meeting(self, reading: Reading, dimension: int) -> list[Thing]:
        """Things of the kind that share more than the border with the region, or by the convention the border too."""
        assert reading.kind
        region = self._region(reading)
        things, tree = self._tree(reading.kind, None)
        met = [things[index] for index in sorted(tree.query(region, predicate="intersects"))]
        return [
            thing
            for thing in met
            if shapely.get_dimensions(thing.geometry) == dimension
            if self.convention.with_border or not region.touches(thing.geometry)
        ]

    def _region(self, reading: Reading) -> Any:
        return self.atlas.things["region"][str(reading.region)].geometry

    def _clips(self, reading: Reading) -> bool:
        return not self.convention.whole if reading.clipped is None else reading.clipped

    def _count(self, reading: Reading) -> Solution:
        return Solution(number=self._number_of(self._meeting(reading, 0)))

    def _area(self, reading: Reading) -> Solution:
        if self.convention.twice:
            return Solution(number=sum(part.measure for part in self._parts(reading, 2, area_of)))
        ground = shapely.union_all([thing.geometry for thing in self._meeting(reading, 2)])
        counted = ground.intersection(self._region(reading)) if self._clips(reading) else ground
        return Solution(number=area_of(counted, self.earth))

    def _length(self, reading: Reading) -> Solution:
        return Solution(number=sum(part.measure for part in self._parts(reading, 1, length_of)))

    def _largest(self, reading: Reading) -> Solution:
        compared = [part for part in self._parts(reading, 2, area_of) if self._is_compared(part)]
        return Solution(parts=sorted(compared, key=lambda part: -part.measure)[:1])

    def _longest(self, reading: Reading) -> Solution:
        by_name: dict[str, list[Part]] = {}
        for part in self._parts(reading, 1, length_of):
            if self._is_compared(part):
                by_name.setdefault(part.thing.name or part.thing.key, []).append(part)
        totals = sorted(by_name.values(), key=lambda parts: -sum(part.measure for part in parts))
        return Solution(parts=totals[0] if totals else ())

    def _is_compared(self, part: Part) -> bool:
        return self.convention.nameless or bool(part.thing.name)

    def _parts(
        self, reading: Reading, dimension: int, measured: Callable[[Any, Geod], float]
    ) -> Iterator[Part]:
        """What counts of each thing that lies in the region, if only in part."""
        region, clips = self._region(reading), self._clips(reading)
        for thing in self._meeting(reading, dimension):
            shape = _inside(thing.geometry, region) if clips else thing.geometry
            yield Part(thing, shape, measured(shape, self.earth))


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
