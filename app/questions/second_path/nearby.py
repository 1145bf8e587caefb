"""Second path of T1, T5, T9 and T22: points of a category around an anchor, by distance and by direction."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found, Points, circular_difference, in_sector, margin
from app.questions.second_path.layers import Layer, Layers, is_named

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
EDGE_DEGREES = 1.0
"""Degrees from a sector's edge within which no rival may stand."""
MOST_ANSWERS = 20
"""How many names a range question may accept."""
MOST_SHARE = 0.25
"""The largest part of a category's named points that a range question may accept."""


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
    if layers.outline_boundary is None:
        return "no_outline"
    facts["outline_distance"] = layers.outline_boundary.distance(lon, lat)
    if not layers.outline.covers(shapely.Point(lon, lat)):
        return "leaves_outline"
    return "leaves_outline" if facts["outline_distance"] < reach else None


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


def _nearest(layers: Layers, parameters: Parameters, azimuth_asked: bool) -> SecondAnswer:
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
        (not azimuth_asked and not is_named(poi.rows[found[0].position]), "unnamed_answer"),
    )
    outside = outline_refusal(layers, lon, lat, found[0].distance + facts["margin"], facts)
    if azimuth_asked:
        if math.isnan(found[0].azimuth):
            raise Refused("too_near", **facts)
        return SecondAnswer(
            {"azimuth": found[0].azimuth, "objects": [described(poi, found[0])]}, refusal or outside, facts
        )
    return SecondAnswer(named_value(poi, found[:1], []), refusal or outside, facts)


def named_value(layer: Layer, objects: Sequence[Found], tolerated: Sequence[Found]) -> dict[str, Any]:
    """Gold of a question for names."""
    names = {layer.rows[one.position].name for one in objects}
    return {
        "names": sorted(name for name in names if name is not None),
        "objects": [described(layer, one) for one in objects],
        "tolerated": [described(layer, one) for one in tolerated],
    }


@second_path("T5")
def nearest_name(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the nearest of a category."""
    return _nearest(layers, parameters, azimuth_asked=False)


@second_path("T22")
def nearest_azimuth(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The azimuth of the nearest of a category."""
    return _nearest(layers, parameters, azimuth_asked=True)


@second_path("T9")
def nearest_in_direction(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the nearest of a category in a sector of 45 degrees."""
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "anchor")
    sector = parameter(parameters, "sector", int)
    if not 0 <= sector <= 7:
        raise Refused("bad_parameters", parameter="sector", found=sector)
    points: Points = poi.points_of(classes_of(parameters))
    everyone = points.nearest_in_sector(lon, lat, sector, skip=position)
    found = [one for one in everyone if in_sector(one.azimuth, sector)]
    if not found:
        raise Refused("no_candidate", sector=sector)
    facts = nearest_facts(found)
    reach = found[0].distance + facts["margin"]
    edges = (45.0 * sector - 22.5, 45.0 * sector + 22.5)
    gaps = [
        float(min(circular_difference(one.azimuth, edge) for edge in edges))
        for one in everyone
        if one.distance < reach and not math.isnan(one.azimuth)
    ]
    facts["edge_degrees"] = min(gaps)
    close = rivals(found)
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in close), "repaired_geometry"),
        (found[0].distance < LEAST_DISTANCE, "too_near"),
        (len(close) > 1, "margin"),
        (facts["edge_degrees"] <= EDGE_DEGREES, "near_sector_edge"),
        (not is_named(poi.rows[found[0].position]), "unnamed_answer"),
    )
    outside = outline_refusal(layers, lon, lat, reach, facts)
    return SecondAnswer(named_value(poi, found[:1], []), refusal or outside, facts)


@second_path("T1")
def names_in_range(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The names of a category's points within a distance; those near the circle are tolerated, not counted on."""
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "anchor")
    distance = float(parameter(parameters, "distance", (int, float)))
    if not 0 < distance < float("inf"):
        raise Refused("bad_parameters", parameter="distance", found=distance)
    points = poi.points_of(classes_of(parameters))
    tolerance = max(5.0, 0.01 * distance)
    around = points.within(lon, lat, distance + tolerance, skip=position)
    found = [one for one in around if is_named(poi.rows[one.position])]
    objects = [one for one in found if one.distance <= distance - tolerance]
    tolerated = [one for one in found if one.distance > distance - tolerance]
    named = len(np.intersect1d(points.positions, poi.named, assume_unique=True))
    facts: Facts = {
        "tolerance": tolerance,
        "objects": len(objects),
        "tolerated": len(tolerated),
        "named_of_category": named,
    }
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in found), "repaired_geometry"),
        (not objects, "zero"),
        (len(found) > MOST_ANSWERS, "too_many"),
        (len(found) > MOST_SHARE * named, "not_selective"),
    )
    outside = outline_refusal(layers, lon, lat, distance + tolerance, facts)
    return SecondAnswer(named_value(poi, objects, tolerated), refusal or outside, facts)
