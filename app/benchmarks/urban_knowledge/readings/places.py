"""Readings of questions about places: how far apart, which is nearest, where, and what covers them. Metres.

Of options that are numbers or coordinates the same one is right as long as what one finds is nearer to it than to any
other; what the wrong ones surely differ by is the second path's rule.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import shapely

from app.benchmarks.urban_knowledge.second_path.distances import CLEARLY_OTHER, two_places
from app.benchmarks.urban_knowledge.second_path.options import FAR_METRES
from app.questions.readings import REFERENCE_POINT, Coordinates, Reading, readings
from app.questions.readings.features import readings_without
from app.questions.readings.grounds import Grounds, grounds_of
from app.questions.readings.sights import MEASURES, SLACK, on_ellipsoid, span
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.geodesy import Floats, longest_geodesic
from app.questions.second_path.nearby import place_of

Parameters = Mapping[str, Any]
SAME_METRES = 500 * float(CLEARLY_OTHER)
"""Half of what a wrong distance is off at least."""


def _point(points: Floats) -> tuple[float, float]:
    lon, lat = points[0].tolist()
    return lon, lat


@readings("urban_knowledge", "Calculate_Distance")
def read_distance(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Between any points of the two places, and by any measure, the distance is nearest to the same option."""
    poi, grounds = layers["poi"], grounds_of(layers)
    keys = two_places(parameters)
    one, other = (grounds.points(poi.position[key]) for key in keys)
    distance = answer.value["distance"]
    matter = {
        name
        for name, measure in MEASURES.items()
        if not _is_same_distance(measure(one[:1], other[:1]).distance, distance)
    }
    told: Coordinates = {}
    if not _is_same_distance(on_ellipsoid(one, other).distance, distance):
        told = {
            key: _point(points) for key, points in zip(keys, (one, other), strict=True) if len(points) > 1
        }
        matter.add(REFERENCE_POINT)
    return Reading(frozenset(matter), told)


@readings("urban_knowledge", "Calculate_Distance_Context")
def read_distance_in_context(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same; a text that gives hints where the places are does not tell their coordinates."""
    found = read_distance(layers, parameters, answer)
    return Reading(found.matter, refused=bool(found.told))


def _is_same_distance(found: Floats, distance: float) -> bool:
    return bool(np.all(np.abs(found - distance) < SAME_METRES - SLACK))


@readings("urban_knowledge", "Retrieve_Coordinates")
def read_coordinates(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Every point of the place is nearer to the right option than to any other."""
    position, _, _ = place_of(layers, parameters, "poi")
    small = grounds_of(layers).radii[position] < FAR_METRES / 2
    return Reading() if small else Reading(frozenset({REFERENCE_POINT}), refused=True)


@readings("urban_knowledge", "Find_Nearest_POI")
def read_nearest(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same place is nearest from every point, to every point, and by any measure."""
    poi, grounds = layers["poi"], grounds_of(layers)
    position, lon, lat = place_of(layers, parameters, "poi")
    nearest = poi.position[answer.value["objects"][0]]
    others = poi.named[poi.named != position]
    apart = longest_geodesic(float(grounds.straight(lon, lat, np.array([nearest]))[0]))
    reach = apart + float(grounds.radii[position] + grounds.radii[nearest])
    radii = grounds.radii[others] + grounds.radii[position]
    near = others[grounds.straight(lon, lat, others) <= 1.03 * reach + radii + 1.0]
    seen = _Nearest(grounds, near, near == nearest)
    anchor = grounds.points(position)
    matter = {name for name in MEASURES if not seen.is_first(anchor[:1], own=True, by=name)}
    matter |= readings_without(poi, [nearest])
    far = 1.03 * reach + float(grounds.radii[position]) + 1.0
    if not seen.is_first(anchor[:1]):
        return Reading(frozenset({*matter, REFERENCE_POINT}), refused=True, reach=far)
    room = layers.room(lon, lat)
    known = room is not None and room[0] and room[1] >= reach + float(grounds.radii[position])
    if len(anchor) == 1 or (known and seen.is_first(anchor)):
        return Reading(frozenset(matter), reach=far)
    told = {poi.keys[position]: _point(anchor)}
    return Reading(frozenset({*matter, REFERENCE_POINT}), told, reach=far)


class _Nearest:
    """Places near a subject, one of which is to be the nearest."""

    def __init__(self, grounds: Grounds, near: Any, first: Any) -> None:
        self._first = first
        points, starts = grounds.points_of_all(near)
        self._every = points, starts
        self._own = points[starts], np.arange(len(starts), dtype=np.intp)

    def is_first(self, origins: Floats, own: bool = False, by: str | None = None) -> bool:
        """Whether the place is surely nearest from all these points; to its own point alone, if so wanted."""
        points, starts = self._own if own else self._every
        sight = MEASURES[by](origins, points) if by else on_ellipsoid(origins, points)
        spans = span(sight, starts, None)
        others = spans.least[:, ~self._first]
        if not others.size:
            return True
        return bool(np.all(others.min(axis=1) > spans.most[:, self._first].max(axis=1) + SLACK))


@readings("urban_knowledge", "Find_Cover_AOI")
def read_cover(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same area is the smallest around every point of the place."""
    position, _, _ = place_of(layers, parameters, "poi")
    points = grounds_of(layers).points(position)
    reach = _reach(grounds_of(layers), [position])
    if _is_covered_by(layers, answer, [points]):
        return Reading(reach=reach)
    told = {layers["poi"].keys[position]: _point(points)}
    return Reading(frozenset({REFERENCE_POINT}), told, reach=reach)


@readings("urban_knowledge", "Find_Cover_AOI_All")
def read_cover_of_all(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """As for one place; the text names the places together and tells no points of them."""
    grounds = grounds_of(layers)
    positions = [layers["poi"].position[key] for key in parameters["pois"]]
    reach = _reach(grounds, positions)
    if _is_covered_by(layers, answer, [grounds.points(one) for one in positions]):
        return Reading(reach=reach)
    return Reading(frozenset({REFERENCE_POINT}), refused=True, reach=reach)


def _reach(grounds: Grounds, positions: Sequence[int]) -> float:
    """How far from the points of places their areas reach; 0 where none is an area."""
    radius = max(float(grounds.radii[one]) for one in positions)
    return radius + 2.0 if radius else 0.0


def _is_covered_by(layers: Layers, answer: SecondAnswer, places: Sequence[Floats]) -> bool:
    """Whether the right area covers every point of all places, and no smaller one a point of each."""
    aoi = layers["aoi"]
    key = aoi.position[answer.value["objects"][0]]
    clouds = [shapely.points(some) for some in places]
    if not all(bool(shapely.covers(aoi.geometries[key], cloud).all()) for cloud in clouds):
        return False
    met = set.intersection(
        *(set(np.unique(aoi.tree.query(cloud, predicate="covered_by")[1]).tolist()) for cloud in clouds)
    )
    return all(aoi.area(one) >= aoi.area(key) for one in met)
