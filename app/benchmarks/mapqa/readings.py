"""Readings of the questions: a place that is mapped as an area may be taken for any point of it.

A question is refused where another point would change its answer: no text tells coordinates. The measure makes no
difference: a sphere changes a distance by 0.6 %, less than the margins. Metres, degrees.
"""

import math
from collections.abc import Iterable
from typing import Any

import shapely

from app.benchmarks.mapqa.second_path.around import AROUND, BESIDE
from app.benchmarks.mapqa.second_path.kinds import KINDS
from app.benchmarks.mapqa.second_path.nearest import node_of
from app.questions.readings import REFERENCE_POINT, SAME_SHARE, Reading, readings
from app.questions.readings.grounds import grounds_of
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.answering import Parameters, parameter
from app.questions.second_path.geodesy import Found
from app.questions.second_path.told_places import metres_between, told_place

LEAST_METRES_A_DEGREE = 110_500.0
"""Of latitude, and of longitude at the equator; nowhere on WGS84 is a degree of latitude shorter."""


def _sure(is_sure: bool) -> Reading:
    return Reading() if is_sure else Reading(frozenset({REFERENCE_POINT}), refused=True)


def _radius(layers: Layers, position: int) -> float:
    return float(grounds_of(layers).radii[position])


def _around(
    layers: Layers,
    lon: float,
    lat: float,
    kinds: frozenset[str] | None,
    reach: float,
    skip: int | None = None,
) -> list[Found]:
    """Places of which some point may lie within `reach` metres, the nearest first."""
    points = layers["poi"].all_points() if kinds is None else layers["poi"].points_of(kinds)
    widest = float(grounds_of(layers).radii.max(initial=0.0))
    found = points.within(lon, lat, reach + widest, skip=skip)
    return [one for one in found if one.distance - _radius(layers, one.position) <= reach]


@readings("mapqa", "Amenity_Of")
def read_tag(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The value of a tag has one reading."""
    return Reading()


@readings("mapqa", "Distance")
def read_distance(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The distance is the same but for what still gives full credit."""
    ends = [told_place(layers, parameters, name)[0] for name in ("origin", "destination")]
    return _sure(sum(_radius(layers, one) for one in ends) < SAME_SHARE * answer.value["distance"])


@readings("mapqa", "Closer_Of_Two")
def read_closer(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same place is closer."""
    anchor, *_ = told_place(layers, parameters, "anchor")
    places = [told_place(layers, parameters, name)[0] for name in ("one", "other")]
    near, far = sorted(metres_between(layers, anchor, one)[0] for one in places)
    doubt = 2 * _radius(layers, anchor) + sum(_radius(layers, one) for one in places)
    return _sure(far - near > doubt)


@readings("mapqa", "Adjacent", "Same_Kind_Around")
def read_beside(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same places lie within 50 metres."""
    position, lon, lat = told_place(layers, parameters, "anchor")
    asked = "category" in parameters
    kind = parameter(parameters, "category", str) if asked else layers["poi"].rows[position].klass
    own = _radius(layers, position)
    found = _around(layers, lon, lat, frozenset({kind}), BESIDE + own, position)
    return _sure(all(one.distance + own + _radius(layers, one.position) < BESIDE for one in found))


@readings("mapqa", "Amenities_Around")
def read_kinds(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same kinds lie within 100 metres. The place itself surely does."""
    position, lon, lat = told_place(layers, parameters, "anchor")
    own, poi = _radius(layers, position), layers["poi"]
    surely: set[str] = set()
    maybe: set[str] = set()
    for one in _around(layers, lon, lat, None, AROUND + own):
        kind = poi.rows[one.position].tags.get("amenity")
        if kind not in KINDS:
            continue
        maybe.add(kind)
        if one.position == position or one.distance + own + _radius(layers, one.position) < AROUND:
            surely.add(kind)
    return _sure(surely == maybe)


@readings("mapqa", "Nearest_Amenity")
def read_nearest(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same place is the nearest; it is measured from the centroid of the area, as the text says."""
    position, *_ = told_place(layers, parameters, "anchor")
    centre = shapely.centroid(shapely.from_wkb(layers.place_areas[layers["poi"].keys[position]]))
    return _sure(_is_first(layers, parameters, answer, centre.x, centre.y, position))


@readings("mapqa", "At_Intersection")
def read_crossing(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same place is the nearest to the node."""
    spot = shapely.from_wkb(node_of(layers, parameter(parameters, "crossing", list)).wkb)
    return _sure(_is_first(layers, parameters, answer, spot.x, spot.y))


def _is_first(
    layers: Layers,
    parameters: Parameters,
    answer: SecondAnswer,
    lon: float,
    lat: float,
    skip: int | None = None,
) -> bool:
    (gold,) = answer.value["objects"]
    first = layers["poi"].position[gold["osm_key"]]
    reach = gold["distance"] + _radius(layers, first)
    kind = frozenset({parameter(parameters, "category", str)})
    return {one.position for one in _around(layers, lon, lat, kind, reach, skip)} == {first}


@readings("mapqa", "Nearest_In_Direction")
def read_direction(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same place is the nearest of that side, wherever one stands on the ground of the anchor."""
    position, lon, lat = told_place(layers, parameters, "anchor")
    (gold,) = answer.value["objects"]
    first, own = layers["poi"].position[gold["osm_key"]], _radius(layers, position)
    kind = frozenset({parameter(parameters, "category", str)})
    reach = gold["distance"] + _radius(layers, first) + 2 * own
    beyond = _beyond(layers, (lon, lat), parameter(parameters, "direction", str))
    rivals: Iterable[int] = (one.position for one in _around(layers, lon, lat, kind, reach, position))
    maybe = {one for one in rivals if beyond(one) > -(own + _radius(layers, one))}
    return _sure(maybe == {first} and beyond(first) > own + _radius(layers, first))


def _beyond(layers: Layers, start: tuple[float, float], direction: str) -> Any:
    """By position: at least how many metres a place lies on that side; below zero on the other."""
    axis = 1 if direction in ("north", "south") else 0
    sign = 1 if direction in ("north", "east") else -1
    metres = LEAST_METRES_A_DEGREE * (1.0 if axis else math.cos(math.radians(start[1])))
    coordinates = layers["poi"].coordinates
    return lambda position: sign * float(coordinates[position, axis] - start[axis]) * metres
