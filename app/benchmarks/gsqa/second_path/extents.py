"""Second path of T11, T12 and T28: the largest area and the longest line in a region, and the length of all lines.

What lies in a region is cut off in lon/lat and measured on the spheroid; what only touches its boundary is not in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import shapely

from app.benchmarks.gsqa.second_path.anchors import with_each_name
from app.benchmarks.gsqa.second_path.regions import GROUNDS, Kinds, region_of, semantics_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.borders import border_of
from app.questions.second_path.geodesy import spheroid_area, spheroid_lengths
from app.questions.second_path.insides import Part
from app.questions.second_path.layers import Layer, Layers, is_named

LINES: Kinds = {
    **{name: ("water", frozenset({name})) for name in ("canal", "ditch", "drain", "river", "stream")},
    **{
        name: ("road", frozenset({name}))
        for name in (
            "bridleway cycleway footway living_street motorway path pedestrian primary residential"
            " secondary service steps tertiary track trunk unclassified"
        ).split()
    },
    "main_road": ("road", frozenset({"trunk", "primary", "secondary", "tertiary"})),
    "waterway": ("water", frozenset({"river", "stream", "canal", "drain", "ditch"})),
}
"""Kind of line: its layer and classes."""

LEAST_AREA = 100.0
LEAST_LENGTH = 100.0
"""Square metres, and metres, below which there is nothing to speak of."""
MOST_ALONG = 0.02
"""The largest part of a length that lines along the border may have: twice what is asked, since planes differ."""
MARGIN_SHARE = 0.02
MARGIN = 10.0
"""How far the second must be behind, in square metres or metres: the larger of both."""


def _kind(parameters: Parameters, name: str, kinds: Kinds) -> tuple[str, frozenset[str]]:
    value = parameter(parameters, name, str)
    if value not in kinds:
        raise Refused("bad_parameters", parameter=name, found=value)
    return kinds[value]


def _behind(first: float, second: float | None) -> bool:
    """Whether the second is far enough behind the first."""
    return second is None or first - second >= max(MARGIN, MARGIN_SHARE * first)


def _described(layer: Layer, part: Part, measure: str) -> dict[str, Any]:
    row = layer.rows[part.position]
    middle = shapely.centroid(part.shape)
    return {
        "osm_key": row.osm_key,
        "name": row.name,
        "lon": float(middle.x),
        "lat": float(middle.y),
        measure: part.measure,
    }


@second_path("gsqa", "T11")
def largest_in_region(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the largest named ground of a kind, by its part in a region, or whole where it reaches into it."""
    position, unfit = region_of(layers, parameters)
    name, classes = _kind(parameters, "ground", GROUNDS)
    layer, region = layers[name], layers["region"].geometries[position]
    clipped = semantics_of(parameters) == "clipped"
    found = []
    for other in layers.inside(name, position).positions(classes, 2):
        if is_named(layer.rows[other]):
            whole = layer.geometries[other]
            shape = _areal(shapely.intersection(whole, region)) if clipped else whole
            found.append(Part(other, shape, spheroid_area(shape)))
    if not found:
        raise Refused("no_candidate")
    found.sort(key=lambda part: (-part.measure, layer.keys[part.position]))
    first, second = found[0], found[1] if len(found) > 1 else None
    facts: dict[str, Any] = {"largest": first.measure, "second": second.measure if second else None}
    refusal = first_refusal(
        (layer.rows[first.position].repaired, "repaired_geometry"),
        (first.measure < LEAST_AREA, "zero"),
        (not _behind(first.measure, facts["second"]), "margin"),
    )
    described = _described(layer, first, "area")
    value = {"names": [described["name"]], "objects": [described], "tolerated": []}
    return SecondAnswer(value, unfit or refusal, facts)


def _areal(shape: Any) -> Any:
    """The polygons of a shape; lines and points of an intersection are where boundaries meet."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    return shapely.multipolygons(parts[shapely.get_dimensions(parts) == 2])


@second_path("gsqa", "T11", since=3)
def largest_by_each_name(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same; of its names, each is one."""
    return with_each_name(largest_in_region(layers, parameters))


@second_path("gsqa", "T12", since=3)
def longest_of_parts_or_wholes(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, or of whole lines: where it stays the longest whether those that hardly reach inside count or not."""
    if semantics_of(parameters) == "clipped":
        return with_each_name(longest_whatever_the_border(layers, parameters))
    found = longest_in_region(layers, parameters)
    position, _ = region_of(layers, parameters)
    name, classes = _kind(parameters, "line", LINES)
    layer = layers[name]
    (winner,) = found.value["names"]
    inside = layers.inside(name, position).lengths(classes, clipped=False)
    most = _metres_by_name(layer, inside)
    least = most[winner]
    counted = {part.position: part.measure for part in inside}
    for one in border_of(layers, name, position).shallow(classes):
        called = layer.rows[one].name or ""
        if called == winner:
            least -= counted.get(one, 0.0)
        elif is_named(layer.rows[one]) and one not in counted:
            most[called] = most.get(called, 0.0) + float(spheroid_lengths([layer.geometries[one]])[0])
    return with_each_name(_unless_close(found, least, most, winner))


@second_path("gsqa", "T12", since=2)
def longest_whatever_the_border(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, where it stays the longest whether lines along the border count or not."""
    found = longest_in_region(layers, parameters)
    position, _ = region_of(layers, parameters)
    name, classes = _kind(parameters, "line", LINES)
    layer = layers[name]
    (winner,) = found.value["names"]
    most = _metres_by_name(layer, layers.inside(name, position).lengths(classes, clipped=True))
    least = most[winner]
    for one, along in border_of(layers, name, position).along(classes).items():
        called = layer.rows[one].name or ""
        if called == winner:
            least -= along.inside
        elif is_named(layer.rows[one]):
            most[called] = most.get(called, 0.0) + along.outside
    return _unless_close(found, least, most, winner)


def _metres_by_name(layer: Layer, parts: Iterable[Part]) -> dict[str, float]:
    most: dict[str, float] = {}
    for part in parts:
        if is_named(layer.rows[part.position]):
            called = layer.rows[part.position].name or ""
            most[called] = most.get(called, 0.0) + part.measure
    return most


def _unless_close(found: SecondAnswer, least: float, most: Mapping[str, float], winner: str) -> SecondAnswer:
    """The answer, refused where the winner's least length is not clear of the most that another may have."""
    rival = max((metres for called, metres in most.items() if called != winner), default=None)
    doubtful = rival is not None and least - rival < max(MARGIN, MARGIN_SHARE * found.facts["longest"])
    return replace(found, refusal="along_border") if doubtful and not found.refusal else found


@second_path("gsqa", "T12")
def longest_in_region(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name that the most metres of lines of a kind bear in a region, or of lines that reach into it, whole."""
    position, unfit = region_of(layers, parameters)
    name, classes = _kind(parameters, "line", LINES)
    layer = layers[name]
    by_name: dict[str, list[Part]] = {}
    clipped = semantics_of(parameters) == "clipped"
    for part in layers.inside(name, position).lengths(classes, clipped):
        if is_named(layer.rows[part.position]):
            by_name.setdefault(layer.rows[part.position].name or "", []).append(part)
    if not by_name:
        raise Refused("no_candidate")
    totals = sorted(
        ((sum(part.measure for part in parts), one) for one, parts in by_name.items()), reverse=True
    )
    longest, winner = totals[0]
    facts: dict[str, Any] = {"longest": longest, "second": totals[1][0] if len(totals) > 1 else None}
    refusal = first_refusal(
        (any(layer.rows[part.position].repaired for part in by_name[winner]), "repaired_geometry"),
        (longest < LEAST_LENGTH, "zero"),
        (not _behind(longest, facts["second"]), "margin"),
    )
    objects = [_described(layer, part, "length") for part in by_name[winner]]
    return SecondAnswer({"names": [winner], "objects": objects, "tolerated": []}, unfit or refusal, facts)


@second_path("gsqa", "T28", since=2)
def length_whatever_the_border(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, where lines along the border, which count or do not by a hair, are a small part."""
    found = length_in_region(layers, parameters)
    position, _ = region_of(layers, parameters)
    name, classes = _kind(parameters, "line", LINES)
    along = sum(map(sum, border_of(layers, name, position).along(classes).values()))
    doubtful = along > MOST_ALONG * found.value["length"]
    return replace(found, refusal="along_border") if doubtful and not found.refusal else found


@second_path("gsqa", "T28")
def length_in_region(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The total length of lines of a kind in a region, or of all that reach into it, whole."""
    position, unfit = region_of(layers, parameters)
    name, classes = _kind(parameters, "line", LINES)
    clipped = semantics_of(parameters) == "clipped"
    layer = layers[name]
    parts = layers.inside(name, position).lengths(classes, clipped)
    length = sum(part.measure for part in parts)
    refusal = first_refusal(
        (any(layer.rows[part.position].repaired for part in parts), "repaired_geometry"),
        (length < LEAST_LENGTH, "zero"),
    )
    return SecondAnswer({"length": length}, unfit or refusal, {"parts": len(parts)})
