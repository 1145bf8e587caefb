"""Readings of questions about how many places there are: T24, and what T23 has beside its circle."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import shapely

from app.benchmarks.gsqa.readings.around import read_within
from app.benchmarks.gsqa.readings.regions import with_reading
from app.benchmarks.gsqa.second_path.categories import classes_of
from app.benchmarks.gsqa.second_path.regions import region_of
from app.questions.readings import REFERENCE_POINT, Reading, readings
from app.questions.readings.features import readings_without
from app.questions.readings.grounds import grounds_of
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.layers import is_named
from app.questions.second_path.nearby import place_of

Parameters = Mapping[str, Any]


@readings("gsqa", "T23", since=4)
def read_count_around(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """As of all places within a distance; and with places that are mapped twice, once as a part of themselves."""
    position, lon, lat = place_of(layers, parameters, "anchor")
    near = layers["poi"].points_of(classes_of(parameters))
    counted = near.within(lon, lat, float(parameters["distance"]), skip=position)
    found = read_within("T23", layers, parameters, answer)
    return _once_or_twice(found, layers, [one.position for one in counted])


@readings("gsqa", "T24")
def read_count(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Places that are areas may lie on both sides of the border; the region itself may be one of the places."""
    poi, grounds = layers["poi"], grounds_of(layers)
    place, _ = region_of(layers, parameters)
    region, key = layers["region"].geometries[place], layers["region"].keys[place]
    counted = _counted_in(layers, place, parameters)
    matter = readings_without(poi, counted)
    if key in {poi.keys[one] for one in counted}:
        matter.add("without_itself")
    asked = set(poi.points_of(classes_of(parameters)).positions.tolist())
    at_border = asked.intersection(grounds.meeting(shapely.boundary(region)))
    if any(_lies_on_both_sides(region, grounds.points(one)) for one in at_border):
        return Reading(frozenset({*matter, REFERENCE_POINT}), refused=True)
    return Reading(frozenset(matter))


@readings("gsqa", "T24", since=4)
def read_count_in_region(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same; and with places that are mapped twice, once as a part of themselves."""
    place, _ = region_of(layers, parameters)
    found = read_count(layers, parameters, answer)
    return _once_or_twice(found, layers, _counted_in(layers, place, parameters))


def _counted_in(layers: Layers, place: int, parameters: Parameters) -> list[int]:
    """The places of the category whose points lie in a region."""
    poi, region = layers["poi"], layers["region"].geometries[place]
    positions = poi.points_of(classes_of(parameters)).positions
    shapely.prepare(region)
    inside: list[int] = positions[shapely.covers(region, shapely.points(poi.coordinates[positions]))].tolist()
    return inside


def _lies_on_both_sides(region: Any, points: Any) -> bool:
    covered = shapely.covers(region, shapely.points(points))
    return bool(covered.any() and not covered.all())


def _once_or_twice(found: Reading, layers: Layers, counted: Iterable[int]) -> Reading:
    """What was found; and that it matters whether a place counts that lies on the ground of another of its name."""
    poi, grounds = layers["poi"], grounds_of(layers)
    by_name: dict[str | None, list[int]] = defaultdict(list)
    for one in counted:
        if is_named(poi.rows[one]):
            by_name[poi.rows[one].name].append(one)
    for alike in by_name.values():
        points = shapely.points(poi.coordinates[alike])
        shapes = [shape for one in alike if (shape := grounds.shape(one)) is not None]
        # Each has its own point on its ground.
        if any(shapely.covers(shape, points).sum() > 1 for shape in shapes):
            return with_reading(found, "mapped_once")
    return found
