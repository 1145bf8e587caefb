"""Readings of questions about the largest and the longest in a region: T11 and T12."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.benchmarks.gsqa.readings.regions import Parameters, areas_of, remaining_of, shares_of, with_reading
from app.benchmarks.gsqa.second_path.extents import LINES
from app.benchmarks.gsqa.second_path.regions import GROUNDS, region_of, semantics_of
from app.questions.readings import Reading, readings
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.layers import Layer, is_named


@readings("gsqa", "T11")
def read_largest(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The largest ground: whole, clipped, only of those inside whole, without some, by another measure."""
    place, _ = region_of(layers, parameters)
    name, classes = GROUNDS[parameters["ground"]]
    layer, inside = layers[name], layers.inside(name, place)
    positions = [one for one in inside.positions(classes, 2) if is_named(layer.rows[one])]
    areas = areas_of(layers, name, place, positions)
    is_clipped = semantics_of(parameters) == "clipped"
    sizes = areas[is_clipped]
    others = {
        "whole" if is_clipped else "clipped": areas[not is_clipped],
        "wholly_inside": {one: areas[False][one] for one in inside.wholly(positions)},
        **{
            reading: {one: sizes[one] for one in left}
            for reading, left in remaining_of(layer, positions, layers["region"].keys[place]).items()
        },
    }
    (winner,) = (layer.position[one["osm_key"]] for one in answer.value["objects"])
    matter = {reading for reading, found in others.items() if _first(found) != winner}
    return Reading(frozenset(matter | _passing(layers, place, sizes, winner)))


@readings("gsqa", "T11", since=4)
def read_largest_with_nameless(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same; and of all ground, with and without a name."""
    place, _ = region_of(layers, parameters)
    name, classes = GROUNDS[parameters["ground"]]
    positions = layers.inside(name, place).positions(classes, 2)
    nameless = [one for one in positions if not is_named(layers[name].rows[one])]
    sizes = areas_of(layers, name, place, nameless)[semantics_of(parameters) == "clipped"]
    largest = sum(one["area"] for one in answer.value["objects"])
    return _unless_larger(read_largest(layers, parameters, answer), largest, sizes.values())


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
            for reading, left in remaining_of(layer, positions, "").items()
        },
    }
    # Of "A; B" gold has each name, too.
    (winner,) = {layer.rows[layer.position[one["osm_key"]]].name or "" for one in answer.value["objects"]}
    matter = {reading for reading, found in others.items() if _first(_by_name(layer, found)) != winner}
    return Reading(frozenset(matter | _passing(layers, place, _by_name(layer, sizes), winner)))


@readings("gsqa", "T12", since=4)
def read_longest_with_nameless(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """The same; and of all lines, each without a name by itself."""
    place, _ = region_of(layers, parameters)
    name, classes = LINES[parameters["line"]]
    lines = layers.inside(name, place).lengths(classes, semantics_of(parameters) == "clipped")
    sizes = [one.measure for one in lines if not is_named(layers[name].rows[one.position])]
    longest = sum(one["length"] for one in answer.value["objects"])
    return _unless_larger(read_longest(layers, parameters, answer), longest, sizes)


def _unless_larger(found: Reading, largest: float, nameless: Iterable[float]) -> Reading:
    """What was found; and that what has no name matters, where any of it is as large."""
    return found if max(nameless, default=0.0) < largest else with_reading(found, "with_nameless")


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
        for reading, share in shares_of(layers, place).items()
        if rest * (1 + share) >= sizes[winner] * (1 - share)
    }
