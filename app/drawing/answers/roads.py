"""Which named road passes between two labels, and which label is nearest to a road."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from app.drawing.answers.labels import POINTS, Unclear, find_spot, folded, middle_of, spots_of
from app.drawing.record import DrawnLabel, DrawnRoad, Record

MOST_AWAY = 60
"""Pixels from a road within which something lies on it, or beside it."""
LEAST_FARTHER = 25
"""Pixels that the second is farther from a road than the first."""


@dataclass(frozen=True)
class RoadSeen:
    """A road by its name, which the picture shows."""

    name: str
    osm_keys: Sequence[str]


@dataclass(frozen=True)
class LabelByRoad:
    """The label nearest to a road, its distance, and how many pixels farther the second is."""

    osm_key: str
    pixels: float
    farther: float


def road_between(record: Record, start: str, end: str) -> RoadSeen | Unclear:
    """The one named road that the straight line between two labels crosses, both by osm_key.

    What is named and the letters must both say so. `no_road`, `several_roads`: the line crosses none, or more than
    one. `not_labelled`: the picture does not show the road's name. Further reasons are those of `find_spot`.
    """
    (seen,) = roads_between(record, [(start, end)])
    return seen


def roads_between(record: Record, pairs: Iterable[tuple[str, str]]) -> Iterator[RoadSeen | Unclear]:
    """The same for many pairs of one picture, whose roads are put together once."""
    roads = [(road.name, _lines(road)) for road in record.roads]
    for _, lines in roads:
        shapely.prepare(lines)
    for start, end in pairs:
        one, other = find_spot(record, start), find_spot(record, end)
        if isinstance(one, Unclear):
            yield one
        elif isinstance(other, Unclear):
            yield other
        else:
            lines = [shapely.LineString(pair) for pair in spots_of(one, other)]
            crossed = [{name for name, road in roads if shapely.intersects(road, line)} for line in lines]
            yield _only_road(record, crossed)


def _only_road(record: Record, crossed: Sequence[set[str]]) -> RoadSeen | Unclear:
    """The road that both lines cross, by the names of the roads that each of them crosses."""
    names = set().union(*crossed)
    if not names:
        return Unclear("no_road")
    if len(names) > 1 or crossed[0] != crossed[1]:
        return Unclear("several_roads")
    return _shown(record, names.pop())


def label_by_road(record: Record, name: str, options: Sequence[str]) -> LabelByRoad | Unclear:
    """The option, by osm_key, that lies on a road or nearest to it; at least two options.

    `far`: none is near enough. `close`: the second is hardly farther, or the letters say another one. Further reasons
    are those of `road_between` and `find_spot`.
    """
    road = _shown(record, name)
    if isinstance(road, Unclear):
        return road
    lines = _lines_of(record, name)
    found: list[DrawnLabel] = []
    for key in options:
        label = find_spot(record, key)
        if isinstance(label, Unclear):
            return label
        found.append(label)
    away = sorted(
        ((shapely.distance(lines, shapely.Point(one.at)), one) for one in found),
        key=lambda pair: (pair[0], pair[1].osm_key),
    )
    by_letters = min(found, key=lambda one: shapely.distance(lines, shapely.Point(middle_of(one))))
    (first, winner), (second, _) = away[:2]
    if first > MOST_AWAY:
        return Unclear("far")
    if second - first < LEAST_FARTHER or by_letters is not winner:
        return Unclear("close")
    return LabelByRoad(winner.osm_key, round(first, 1), round(second - first, 1))


def pixels_from_road(record: Record, name: str, osm_keys: Sequence[str]) -> Mapping[str, float]:
    """How far each thing that has a label lies from a road, in pixels; what `find_spot` does not find is left out."""
    lines = _lines_of(record, name)
    spots = {key: find_spot(record, key) for key in osm_keys}
    return {
        key: shapely.distance(lines, shapely.Point(label.at))
        for key, label in spots.items()
        if not isinstance(label, Unclear)
    }


def is_by_road(osm_key: str, options: Sequence[str], pixels: Mapping[str, float]) -> bool:
    """Whether `label_by_road` would find that one of the options, if what is named alone counted."""
    others = [pixels[one] for one in options if one != osm_key]
    return pixels[osm_key] <= MOST_AWAY and min(others) - pixels[osm_key] >= LEAST_FARTHER


def _lines_of(record: Record, name: str) -> Any:
    return shapely.union_all([_lines(one) for one in record.roads if one.name == name])


def _lines(road: DrawnRoad) -> Any:
    return shapely.MultiLineString([list(line) for line in road.lines])


def _shown(record: Record, name: str) -> RoadSeen | Unclear:
    """The road of that name, if its name can be read, and nothing else has it."""
    roads = [one for one in record.roads if one.name == name]
    if not roads:
        return Unclear("no_road")
    if not any(one.kind == "road" and one.name == name for one in record.labels):
        return Unclear("not_labelled")
    if any(one.kind in POINTS and folded(one.text) == folded(name) for one in record.labels):
        return Unclear("not_unique")
    return RoadSeen(name, sorted({key for one in roads for key in one.osm_keys}))
