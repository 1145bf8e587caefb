"""Readings of questions about what lies in a region: T11, T12, T24, T27 and T28.

By another measure an area or a length changes by no more than a share that follows from the region's latitudes, so
nothing is measured anew for that: a degree is longer or shorter than on the ellipsoid by its radii of curvature over
6371.0088 km, and in an equirectangular plane to the east also by the cosine of the middle latitude over that of the
place.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import shapely

from app.benchmarks.gsqa.second_path.categories import classes_of
from app.benchmarks.gsqa.second_path.extents import LINES
from app.benchmarks.gsqa.second_path.regions import GROUNDS, SURFACES, region_of, semantics_of
from app.questions.readings import REFERENCE_POINT, Reading, is_same_number, readings
from app.questions.readings.features import left_out_by, readings_without
from app.questions.readings.grounds import grounds_of
from app.questions.readings.sights import SPHERE_METRES
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.borders import border_of
from app.questions.second_path.geodesy import GEOD, spheroid_area
from app.questions.second_path.layers import Layer, is_named

Parameters = Mapping[str, Any]
Total = Callable[[list[int]], float]
"""Square metres, or metres, of some objects of a layer."""


@readings("gsqa", "T24")
def read_count(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Places that are areas may lie on both sides of the border; the region itself may be one of the places."""
    poi, grounds = layers["poi"], grounds_of(layers)
    place, _ = region_of(layers, parameters)
    region, key = layers["region"].geometries[place], layers["region"].keys[place]
    positions = poi.points_of(classes_of(parameters)).positions
    shapely.prepare(region)
    inside = shapely.covers(region, shapely.points(poi.coordinates[positions]))
    counted = positions[inside].tolist()
    matter = readings_without(poi, counted)
    if key in {poi.keys[one] for one in counted}:
        matter.add("without_itself")
    if any(_lies_on_both_sides(region, grounds.points(one)) for one in _at_border(layers, place, positions)):
        return Reading(frozenset({*matter, REFERENCE_POINT}), refused=True)
    return Reading(frozenset(matter))


def _at_border(layers: Layers, place: int, positions: Any) -> list[int]:
    """The places whose area meets the border of a region."""
    border = shapely.boundary(layers["region"].geometries[place])
    asked = set(positions.tolist())
    return [one for one in grounds_of(layers).meeting(border) if one in asked]


def _lies_on_both_sides(region: Any, points: Any) -> bool:
    covered = shapely.covers(region, shapely.points(points))
    return bool(covered.any() and not covered.all())


# --- totals ---------------------------------------------------------------------------------------------------------


@readings("gsqa", "T27")
def read_area(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The total area: whole objects, clipped ones, only those inside whole, without some, by another measure."""
    place, _ = region_of(layers, parameters)
    name, classes = SURFACES[parameters["surface"]]
    layer, region = layers[name], layers["region"].geometries[place]
    positions = layers.inside(name, place).positions(classes, 2)

    def whole(some: list[int]) -> float:
        return spheroid_area(shapely.union_all(layer.geometries[some])) if some else 0.0

    def clipped(some: list[int]) -> float:
        return (
            spheroid_area(shapely.intersection(shapely.union_all(layer.geometries[some]), region))
            if some
            else 0.0
        )

    matter = _total_matters(layers, parameters, name, positions, answer.value["area"], whole, clipped)
    return Reading(frozenset(matter))


@readings("gsqa", "T28")
def read_length(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The total length: as the total area, and with or without the lines along the border."""
    place, _ = region_of(layers, parameters)
    name, classes = LINES[parameters["line"]]
    inside, length = layers.inside(name, place), answer.value["length"]
    parts = {
        clip: {one.position: one.measure for one in inside.lengths(classes, clip)} for clip in (False, True)
    }

    def whole(some: list[int]) -> float:
        return sum(parts[False][one] for one in some)

    def clipped(some: list[int]) -> float:
        return sum(parts[True][one] for one in some)

    positions = list(parts[True])
    matter = _total_matters(layers, parameters, name, positions, length, whole, clipped)
    along = border_of(layers, name, place).along(classes).values()
    if not is_same_number(length, length - sum(one.inside for one in along)):
        matter.add("border_out")
    if not is_same_number(length, length + sum(one.outside for one in along)):
        matter.add("border_in")
    return Reading(frozenset(matter))


def _total_matters(
    layers: Layers,
    parameters: Parameters,
    name: str,
    positions: list[int],
    total: float,
    whole: Total,
    clipped: Total,
) -> set[str]:
    """The readings by which the total of some objects in a region is another."""
    place, _ = region_of(layers, parameters)
    layer = layers[name]
    is_clipped = semantics_of(parameters) == "clipped"
    measure = clipped if is_clipped else whole
    shares = _shares(layers, place)
    matter = {reading for reading, share in shares.items() if not is_same_number(1.0, 1.0 + share)}
    inner = layers.inside(name, place).wholly(positions)
    if len(inner) < len(positions):
        other = ("whole", whole) if is_clipped else ("clipped", clipped)
        totals = {other[0]: other[1](positions), "wholly_inside": whole(inner)}
        matter |= {reading for reading, found in totals.items() if not is_same_number(total, found)}
    for reading, left in _remaining(layer, positions, layers["region"].keys[place]).items():
        if not is_same_number(total, measure(left)):
            matter.add(reading)
    return matter


def _remaining(layer: Layer, positions: Iterable[int], region: str) -> dict[str, list[int]]:
    """By the readings that leave any of the objects out: those that remain."""
    all_of_them = list(positions)
    found = {
        reading: [one for one in all_of_them if reading not in left_out_by(layer, one)]
        for reading in sorted(readings_without(layer, all_of_them))
    }
    if any(layer.keys[one] == region for one in all_of_them):
        found["without_itself"] = [one for one in all_of_them if layer.keys[one] != region]
    return found


def _shares(layers: Layers, place: int) -> dict[str, float]:
    """By measure: by what share an area or a length in the region may at most differ."""
    _, south, _, north = np.radians(shapely.bounds(layers["region"].geometries[place])).tolist()
    middle = (south + north) / 2
    latitudes = np.array([south, middle, north])
    bent = 1 - GEOD.es * np.sin(latitudes) ** 2
    northward = SPHERE_METRES * bent**1.5 / (GEOD.a * (1 - GEOD.es))
    eastward = SPHERE_METRES * np.sqrt(bent) / GEOD.a
    stretched = eastward * np.cos(middle) / np.cos(latitudes)
    return {
        name: float(np.abs(np.concatenate((northward, east, northward * east)) - 1).max())
        for name, east in (("sphere", eastward), ("plane", stretched))
    }


# --- the largest and the longest ------------------------------------------------------------------------------------


@readings("gsqa", "T11")
def read_largest(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The largest ground: whole, clipped, only of those inside whole, without some, by another measure."""
    place, _ = region_of(layers, parameters)
    name, classes = GROUNDS[parameters["ground"]]
    layer, region = layers[name], layers["region"].geometries[place]
    inside = layers.inside(name, place)
    positions = [one for one in inside.positions(classes, 2) if is_named(layer.rows[one])]
    inner = set(inside.wholly(positions))
    whole = {one: layer.area(one) for one in positions}
    clipped = {
        one: whole[one]
        if one in inner
        else spheroid_area(shapely.intersection(layer.geometries[one], region))
        for one in positions
    }
    is_clipped = semantics_of(parameters) == "clipped"
    sizes = clipped if is_clipped else whole
    others = {
        **({"whole": whole} if is_clipped else {"clipped": clipped}),
        "wholly_inside": {one: whole[one] for one in inner},
        **{
            reading: {one: sizes[one] for one in left}
            for reading, left in _remaining(layer, positions, layers["region"].keys[place]).items()
        },
    }
    (winner,) = (layer.position[one["osm_key"]] for one in answer.value["objects"])
    matter = {reading for reading, found in others.items() if _first(found) != winner}
    return Reading(frozenset(matter | _passing(layers, place, sizes, winner)))


@readings("gsqa", "T12")
def read_longest(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The longest line of one name, as the largest ground; the second path's rule sees to the border."""
    place, _ = region_of(layers, parameters)
    name, classes = LINES[parameters["line"]]
    layer, inside = layers[name], layers.inside(name, place)
    parts = {
        clip: {
            one.position: one.measure
            for one in inside.lengths(classes, clip)
            if is_named(layer.rows[one.position])
        }
        for clip in (False, True)
    }
    is_clipped = semantics_of(parameters) == "clipped"
    sizes, positions = parts[is_clipped], list(parts[True])
    inner = inside.wholly(positions)
    others = {
        "whole" if is_clipped else "clipped": parts[not is_clipped],
        "wholly_inside": {one: parts[False][one] for one in inner},
        **{
            reading: {one: sizes[one] for one in left}
            for reading, left in _remaining(layer, positions, "").items()
        },
    }
    (winner,) = answer.value["names"]
    matter = {reading for reading, found in others.items() if _first(_by_name(layer, found)) != winner}
    return Reading(frozenset(matter | _passing(layers, place, _by_name(layer, sizes), winner)))


def _by_name(layer: Layer, sizes: Mapping[int, float]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for one, size in sizes.items():
        called = layer.rows[one].name or ""
        totals[called] = totals.get(called, 0.0) + size
    return totals


def _first(sizes: Mapping[Any, float]) -> Any:
    """What is largest; None of nothing."""
    return max(sizes, key=lambda one: sizes[one], default=None)


def _passing(layers: Layers, place: int, sizes: Mapping[Any, float], winner: Any) -> set[str]:
    """The measures by which another could be as large as the winner."""
    rest = max((size for one, size in sizes.items() if one != winner), default=0.0)
    return {
        reading
        for reading, share in _shares(layers, place).items()
        if rest * (1 + share) >= sizes[winner] * (1 - share)
    }
