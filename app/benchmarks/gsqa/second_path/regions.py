"""Second path of T24 and T27: what lies in a region. Cut off in lon/lat, areas measured on the spheroid."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from app.benchmarks.gsqa.second_path.categories import classes_of
from app.questions.second_path.answering import (
    VALUE,
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import is_in_box, spheroid_area
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form

Kinds = Mapping[str, tuple[str, frozenset[str]]]
_GREEN = "common garden park recreation_ground village_green"
_RESERVE = "national_park nature_reserve protected_area"
_LEISURE = "golf_course recreation_ground sports_centre"
_PARKS = f"{_GREEN} {_RESERVE} {_LEISURE}"
_STILL = "basin lagoon lake oxbow pond reservoir water"

GROUNDS: Kinds = {
    **{klass: ("park", frozenset({klass})) for klass in (*_PARKS.split(), "marina")},
    **{klass: ("water", frozenset({klass})) for klass in ("basin", "lake", "pond", "reservoir")},
    "green_space": ("park", frozenset(_GREEN.split())),
    "reserve": ("park", frozenset(_RESERVE.split())),
    "leisure_ground": ("park", frozenset(_LEISURE.split())),
    "any_park": ("park", frozenset(_PARKS.split())),
    "still_water": ("water", frozenset(_STILL.split())),
}
"""Kind of ground: its layer and classes."""

SURFACES: Mapping[str, tuple[str, frozenset[str] | None]] = {
    **GROUNDS,
    **{klass: ("water", frozenset({klass})) for klass in ("river", "stream")},
    "water": ("water", None),
}
"""Surface: its layer, and its classes there, or None for every class."""

EDGE_METRES = 1.0
"""Metres from a region's boundary within which nothing that is counted may lie."""
LEAST_AREA = 1.0
"""Square metres below which an area counts as zero."""


def region_of(layers: Layers, parameters: Parameters) -> tuple[int, str | None]:
    """The position of the region, and why it may not be asked about; raises Refused where there is none."""
    region = layers["region"]
    key = parameter(parameters, "region", str)
    position = region.position.get(key)
    if position is None:
        raise Refused("unknown_object", layer="region", osm_key=key)
    row = region.rows[position]
    same_name = region.by_name.get(normal_form(row.name or ""), [])
    return position, first_refusal(
        (row.repaired, "repaired_geometry"),
        (not same_name, "unnamed_region"),
        (sum(1 for other in same_name if region.rows[other].klass == row.klass) > 1, "name_not_unique"),
        (not (row.tags.get("wikidata") or row.tags.get("wikipedia")), "region_without_link"),
        (layers.outline is None, "no_outline"),
        (not layers.lies_in_outline("region", position), "leaves_outline"),
    )


def semantics_of(parameters: Parameters) -> str:
    """What counts of an object that lies partly in the region: `clipped` or `intersects`.

    Questions of the first version have no such parameter, and are clipped.
    """
    semantics = parameters.get("semantics", "clipped")
    if semantics not in ("clipped", "intersects"):
        raise Refused("bad_parameters", parameter="semantics", found=semantics)
    return str(semantics)


@second_path("gsqa", "T24")
def count_in_region(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many of a category lie in a region."""
    poi = layers["poi"]
    position, unfit = region_of(layers, parameters)
    region = layers["region"].geometries[position]
    points = poi.points_of(classes_of(parameters))
    shapely.prepare(region)
    inside = is_in_box(points.coordinates, shapely.bounds(region), 0.0)
    inside[inside] = shapely.covers(region, shapely.points(points.coordinates[inside]))
    near_edge = layers["region"].boundary(position).within(points.coordinates, EDGE_METRES)
    count = int(inside.sum())
    on_edge = {poi.keys[int(points.positions[index])]: metres for index, metres in near_edge}
    facts: dict[str, Any] = {"near_edge": on_edge}
    counted = points.positions[inside].tolist()
    refusal = first_refusal(
        (any(poi.rows[one].repaired for one in counted), "repaired_geometry"),
        (bool(near_edge), "margin"),
        (count == 0, "zero"),
    )
    return SecondAnswer({"count": count}, unfit or refusal, facts)


@second_path("gsqa", "T24", since=2)
def count_of_places_mapped_once(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, where none of them is mapped twice."""
    found = count_in_region(layers, parameters)
    poi, classes = layers["poi"], classes_of(parameters)
    region = layers["region"].geometries[layers["region"].position[parameters["region"]]]
    twins = [one for one, shared in poi.twins.items() if shared & classes]
    twice = bool(shapely.covers(region, shapely.points(poi.coordinates[twins])).any())
    return replace(found, refusal="twice_mapped") if twice and not found.refusal else found


@second_path("gsqa", "T27", since=4)
def area_once_and_twice(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same; of whole objects also their plain sum, in which overlaps count twice, under the key `plain_sum`."""
    found = area_in_region(layers, parameters)
    if semantics_of(parameters) == "clipped" or not found.value:
        return found
    position, _ = region_of(layers, parameters)
    name, classes = SURFACES[parameters["surface"]]
    plain = sum(layers[name].area(one) for one in layers.inside(name, position).positions(classes, 2))
    return replace(found, keys={"plain_sum": {"kind": VALUE, "value": {"area": plain}}})


@second_path("gsqa", "T27")
def area_in_region(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The total area of a surface inside a region; what overlaps counts once."""
    position, unfit = region_of(layers, parameters)
    surface = parameter(parameters, "surface", str)
    if surface not in SURFACES:
        raise Refused("bad_parameters", parameter="surface", found=surface)
    name, classes = SURFACES[surface]
    layer = layers[name]
    region = layers["region"].geometries[position]
    clipped = semantics_of(parameters) == "clipped"
    parts = layers.inside(name, position).positions(classes, 2)
    shapes = layer.geometries[parts] if parts else np.empty(0, dtype=object)
    facts: dict[str, Any] = {"parts": len(parts)}
    broken = not (shapely.is_valid(region) and bool(np.all(shapely.is_valid(shapes))))
    if broken:
        return SecondAnswer({}, "invalid_geometry", facts)
    ground = shapely.union_all(shapes)
    area = spheroid_area(shapely.intersection(ground, region) if clipped else ground) if parts else 0.0
    refusal = first_refusal(
        (any(layer.rows[other].repaired for other in parts), "repaired_geometry"),
        (area < LEAST_AREA, "zero"),
    )
    return SecondAnswer({"area": area}, unfit or refusal, facts)
