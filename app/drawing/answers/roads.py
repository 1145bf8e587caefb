"""Which named road passes between two labels, and which label is nearest to a road."""

from collections.abc import Sequence
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
    one, other = find_spot(record, start), find_spot(record, end)
    if isinstance(one, Unclear):
        return one
    if isinstance(other, Unclear):
        return other
    crossed: list[set[str]] = []
    for pair in spots_of(one, other):
        line = shapely.LineString(pair)
        crossed.append({road.name for road in record.roads if shapely.intersects(_lines(road), line)})
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
    lines = shapely.union_all([_lines(one) for one in record.roads if one.name == name])
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
