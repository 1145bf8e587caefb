"""Second path of T22, and what all questions about points of a category around an anchor share."""

import math
from collections.abc import Sequence
from typing import Any

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found, margin
from app.questions.second_path.layers import Layer, Layers

CATEGORIES: dict[str, frozenset[str]] = {
    "restaurant": frozenset({"restaurant"}),
    "cafe": frozenset({"cafe"}),
    "fast_food": frozenset({"fast_food"}),
    "food": frozenset({"restaurant", "cafe", "fast_food"}),
}
"""Category: the classes that belong to it."""

Facts = dict[str, Any]

LEAST_DISTANCE = 20.0
"""Metres that the nearest must be away."""


def classes_of(parameters: Parameters) -> frozenset[str]:
    """The classes of the parameter `category`; raises Refused for one that does not exist."""
    category = parameter(parameters, "category", str)
    if category not in CATEGORIES:
        raise Refused("bad_parameters", parameter="category", found=category)
    return CATEGORIES[category]


def place_of(layers: Layers, parameters: Parameters, name: str) -> tuple[int, float, float]:
    """Position, lon and lat of the POI that the parameter `name` means; raises Refused where it cannot serve."""
    poi = layers["poi"]
    key = parameter(parameters, name, str)
    position = poi.position.get(key)
    if position is None:
        raise Refused("unknown_object", layer="poi", osm_key=key)
    if poi.rows[position].repaired:
        raise Refused("repaired_geometry", osm_key=key)
    lon, lat = poi.coordinates[position].tolist()
    return position, lon, lat


def described(layer: Layer, found: Found) -> dict[str, Any]:
    """A found point as gold holds it."""
    lon, lat = layer.coordinates[found.position].tolist()
    row = layer.rows[found.position]
    return {"osm_key": row.osm_key, "name": row.name, "lon": lon, "lat": lat, "distance": found.distance}


def outline_refusal(layers: Layers, lon: float, lat: float, reach: float, facts: Facts) -> str | None:
    """Why the circle of `reach` metres may leave the outline, if so; adds outline_distance to `facts`."""
    facts["search_radius"] = reach
    room = layers.room(lon, lat)
    if room is None:
        return "no_outline"
    inside, facts["outline_distance"] = room
    return None if inside and facts["outline_distance"] >= reach else "leaves_outline"


def nearest_facts(found: Sequence[Found]) -> Facts:
    """The distances that a question about a nearest is decided by; `found` by distance, not empty."""
    nearest = found[0].distance
    facts: Facts = {"nearest": nearest, "margin": margin(nearest)}
    if len(found) > 1:
        facts["second"] = found[1].distance
    return facts


def rivals(found: Sequence[Found]) -> list[Found]:
    """Those of `found` (by distance, not empty) that are nearer than the nearest's distance and its margin."""
    reach = found[0].distance + margin(found[0].distance)
    return [one for one in found if one.distance < reach]


def nearest_of(layers: Layers, parameters: Parameters) -> tuple[Found, str | None, Facts]:
    """The nearest of a category, why it must not be asked for, if so, and the distances that this was decided by.

    Raises Refused where there is none.
    """
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "anchor")
    found = poi.points_of(classes_of(parameters)).nearest(lon, lat, skip=position)
    if not found:
        raise Refused("no_candidate")
    facts = nearest_facts(found)
    close = rivals(found)
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in close), "repaired_geometry"),
        (found[0].distance < LEAST_DISTANCE, "too_near"),
        (len(close) > 1, "margin"),
    )
    outside = outline_refusal(layers, lon, lat, found[0].distance + facts["margin"], facts)
    return found[0], refusal or outside, facts


@second_path("T22")
def nearest_azimuth(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The azimuth of the nearest of a category."""
    nearest, refusal, facts = nearest_of(layers, parameters)
    if math.isnan(nearest.azimuth):
        raise Refused("too_near", **facts)
    value = {"azimuth": nearest.azimuth, "objects": [described(layers["poi"], nearest)]}
    return SecondAnswer(value, refusal, facts)


def named_value(layer: Layer, objects: Sequence[Found], tolerated: Sequence[Found]) -> dict[str, Any]:
    """Gold of a question for names."""
    names = {layer.rows[one.position].name for one in objects}
    return {
        "names": sorted(name for name in names if name is not None),
        "objects": [described(layer, one) for one in objects],
        "tolerated": [described(layer, one) for one in tolerated],
    }
