"""Second path of Nearest_Name, Nearest_Then, Count_Around and Count_In. Metres."""

from typing import Any

import shapely

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found, is_in_box
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.nearby import Facts, described, nearest_facts, outline_refusal, rivals
from app.questions.second_path.told_places import told_place, told_region

CLOSEST = 20.0
EDGE_OF_CIRCLE, EDGE_SHARE = 5.0, 0.01
"""How near to the circle nothing may lie: metres, or a part of the distance if that is more."""
EDGE_OF_REGION = 1.0
MOST = 20
"""Places that the tool nearby lists."""


def _kind(parameters: Parameters, name: str) -> frozenset[str]:
    return frozenset({parameter(parameters, name, str)})


def _nearest(
    layers: Layers, start: tuple[int, float, float], kind: frozenset[str]
) -> tuple[Found, str | None, Facts]:
    """The nearest of a kind, why it may not be asked for, and the distances that decide. Raises Refused for none."""
    poi = layers["poi"]
    position, lon, lat = start
    found = poi.points_of(kind).nearest(lon, lat, skip=position)
    if not found:
        raise Refused("no_candidate")
    close = rivals(found)
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in close), "repaired_geometry"),
        (found[0].distance < CLOSEST, "too_close"),
        (len(close) > 1, "margin"),
    )
    return found[0], refusal, nearest_facts(found)


def _is_of(layers: Layers, position: int, kind: frozenset[str]) -> bool:
    return bool(kind & {*layers["poi"].rows[position].classes})


def _named(layers: Layers, one: Found) -> tuple[dict[str, Any], str | None]:
    """Gold of a question for the name of a place, and why it may not be asked for."""
    row = layers["poi"].rows[one.position]
    unnamed = not is_named(row) or ";" in (row.name or "")
    value = {"names": [row.name], "objects": [described(layers["poi"], one)], "tolerated": []}
    return value, first_refusal((unnamed, "unnamed_answer"))


@second_path("map_tools_check", "Nearest_Name")
def nearest_name(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the nearest place of a kind."""
    anchor, kind = told_place(layers, parameters, "anchor"), _kind(parameters, "category")
    one, refusal, facts = _nearest(layers, anchor, kind)
    value, unnamed = _named(layers, one)
    own = first_refusal((_is_of(layers, anchor[0], kind), "own_class"))
    outside = outline_refusal(layers, anchor[1], anchor[2], one.distance + facts["margin"], facts)
    return SecondAnswer(value, refusal or own or unnamed or outside, facts)


@second_path("map_tools_check", "Nearest_Then")
def nearest_then(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the place of the second kind that is nearest to the nearest of the first kind."""
    anchor = told_place(layers, parameters, "anchor")
    kind, following = _kind(parameters, "category"), _kind(parameters, "next")
    one, refusal, facts = _nearest(layers, anchor, kind)
    lon, lat = layers["poi"].coordinates[one.position].tolist()
    last, other_refusal, other_facts = _nearest(layers, (one.position, lon, lat), following)
    value, unnamed = _named(layers, last)
    own = first_refusal(
        (kind == following, "own_class"),
        (_is_of(layers, anchor[0], kind | following), "own_class"),
    )
    reach = max(one.distance + facts["margin"], one.distance + last.distance + other_facts["margin"])
    told = {"first": facts, "then": other_facts}
    outside = outline_refusal(layers, anchor[1], anchor[2], reach, told)
    return SecondAnswer(value, refusal or other_refusal or own or unnamed or outside, told)


@second_path("map_tools_check", "Count_Around")
def count_around(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many places of a kind lie within a distance."""
    poi = layers["poi"]
    position, lon, lat = told_place(layers, parameters, "anchor")
    kind, distance = _kind(parameters, "category"), parameter(parameters, "distance", (int, float))
    edge = max(EDGE_OF_CIRCLE, EDGE_SHARE * distance)
    found = poi.points_of(kind).within(lon, lat, distance + edge, skip=position)
    twins = {one for one, shared in poi.twins.items() if shared & kind}
    facts: Facts = {"distances": [one.distance for one in found]}
    refusal = first_refusal(
        (not found, "zero"),
        (_is_of(layers, position, kind), "own_class"),
        (len(found) > MOST, "too_many_answers"),
        (any(abs(one.distance - distance) <= edge for one in found), "near_circle"),
        (any(one.position in twins for one in found), "twice_mapped"),
        (any(poi.rows[one.position].repaired for one in found), "repaired_geometry"),
    )
    outside = outline_refusal(layers, lon, lat, distance + edge, facts)
    return SecondAnswer({"count": len(found)}, refusal or outside, facts)


@second_path("map_tools_check", "Count_In")
def count_in(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many places of a kind lie in a region."""
    poi, position, kind = layers["poi"], told_region(layers, parameters), _kind(parameters, "category")
    region, points = layers["region"].geometries[position], poi.points_of(kind)
    inside = is_in_box(points.coordinates, shapely.bounds(region), 0.0)
    inside[inside] = shapely.covers(region, shapely.points(points.coordinates[inside]))
    near = layers["region"].boundary(position).within(points.coordinates, EDGE_OF_REGION)
    counted = points.positions[inside].tolist()
    twins = {one for one, shared in poi.twins.items() if shared & kind}
    refusal = first_refusal(
        (bool(near), "near_region_edge"),
        (bool(twins & {*counted}), "twice_mapped"),
        (not counted, "zero"),
        (any(poi.rows[one].repaired for one in counted), "repaired_geometry"),
    )
    return SecondAnswer({"count": len(counted)}, refusal, {"near": len(near)})
