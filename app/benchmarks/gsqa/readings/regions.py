"""Readings of questions about totals in a region: T27 and T28.

By another measure an area or a length changes by no more than a share that follows from the region's latitudes, so
nothing is measured anew for that: a degree is longer or shorter than on the ellipsoid by its radii of curvature over
6371.0088 km, and in an equirectangular plane to the east also by the cosine of the middle latitude over that of the
place.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from app.benchmarks.gsqa.second_path.extents import LINES
from app.benchmarks.gsqa.second_path.regions import SURFACES, region_of, semantics_of
from app.questions.readings import Reading, is_same_number, readings
from app.questions.readings.features import left_out_by, readings_without
from app.questions.readings.sights import SPHERE_METRES
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.borders import border_of
from app.questions.second_path.geodesy import GEOD, spheroid_area
from app.questions.second_path.layers import Layer

Parameters = Mapping[str, Any]
Total = Callable[[list[int]], float]
"""Square metres, or metres, of some objects of a layer."""


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


@readings("gsqa", "T27", since=5)
def read_area_once_or_twice(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same; and the plain sum, in which ground that two objects cover counts twice."""
    place, _ = region_of(layers, parameters)
    name, classes = SURFACES[parameters["surface"]]
    sizes = areas_of(layers, name, place, layers.inside(name, place).positions(classes, 2))
    found = read_area(layers, parameters, answer)
    plain_sum = sum(sizes[semantics_of(parameters) == "clipped"].values())
    return found if is_same_number(answer.value["area"], plain_sum) else with_reading(found, "counted_twice")


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
    shares = shares_of(layers, place)
    matter = {reading for reading, share in shares.items() if not is_same_number(1.0, 1.0 + share)}
    inner = layers.inside(name, place).wholly(positions)
    if len(inner) < len(positions):
        other = ("whole", whole) if is_clipped else ("clipped", clipped)
        totals = {other[0]: other[1](positions), "wholly_inside": whole(inner)}
        matter |= {reading for reading, found in totals.items() if not is_same_number(total, found)}
    for reading, left in remaining_of(layer, positions, layers["region"].keys[place]).items():
        if not is_same_number(total, measure(left)):
            matter.add(reading)
    return matter


def with_reading(found: Reading, name: str) -> Reading:
    """What was found, and one more reading that matters."""
    return replace(found, matter=found.matter | {name})


def areas_of(
    layers: Layers, name: str, place: int, positions: Iterable[int]
) -> tuple[dict[int, float], dict[int, float]]:
    """Square metres of objects that lie in a region, if only in part: whole, and of their parts inside."""
    layer, region = layers[name], layers["region"].geometries[place]
    whole = {one: layer.area(one) for one in positions}
    inner = set(layers.inside(name, place).wholly(whole))
    clipped = {
        one: size if one in inner else spheroid_area(shapely.intersection(layer.geometries[one], region))
        for one, size in whole.items()
    }
    return whole, clipped


def remaining_of(layer: Layer, positions: Iterable[int], region: str) -> dict[str, list[int]]:
    """By the readings that leave any of the objects out: those that remain."""
    all_of_them = list(positions)
    found = {
        reading: [one for one in all_of_them if reading not in left_out_by(layer, one)]
        for reading in sorted(readings_without(layer, all_of_them))
    }
    if any(layer.keys[one] == region for one in all_of_them):
        found["without_itself"] = [one for one in all_of_them if layer.keys[one] != region]
    return found


def shares_of(layers: Layers, place: int) -> dict[str, float]:
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
