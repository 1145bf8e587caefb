"""Second path of the questions for a place, by name or by where it is: T1 to T6, T9, T10, T13 to T20.

Points of a category, or of one narrowed by a tag, within a distance of an anchor or nearest to it; all around, in one
of eight sectors, or towards a second anchor. Every such sector is 45 degrees wide and half-open.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.benchmarks.gsqa.second_path.anchors import with_told_anchors, with_unique_names
from app.benchmarks.gsqa.second_path.categories import classes_of, filter_of
from app.benchmarks.gsqa.second_path.nearby import LEAST_DISTANCE, named_value
from app.questions.second_path.addresses import address_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    SecondPath,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Floats, Found, Points, circular_difference, is_around, measure
from app.questions.second_path.layers import Layer, Layers, is_named
from app.questions.second_path.nearby import (
    Facts,
    described,
    nearest_facts,
    outline_refusal,
    place_of,
    rivals,
)

EDGE_DEGREES = 1.0
"""Degrees from a sector's edge within which nothing is sure."""
HALF_WIDTH = 22.5
MOST_ANSWERS = 20
"""How many answers a range question may accept."""
MOST_SHARE = 0.25
"""The largest part of a category's named points that a range question may accept."""
LEAST_APART, MOST_APART = 600.0, 50_000.0
"""Metres between the anchors of a question "towards": 10 m at one of them are a degree from 573 m on."""
MOST_FAR = 50_000.0
"""Metres within which the nearest in a direction, or of a narrowed category, must surely lie."""


@dataclass(frozen=True)
class Asked:
    """What tells these templates apart."""

    located: bool
    direction: Literal["sector", "towards"] | None = None
    narrowed: bool = False


@dataclass(frozen=True)
class Scene:
    """Where one stands, what may be found, and the azimuth to look along, if any."""

    poi: Layer
    position: int
    lon: float
    lat: float
    points: Points
    centre: float | None
    goal: int | None
    unfit: str | None
    facts: Facts


def _scene(layers: Layers, parameters: Parameters, asked: Asked) -> Scene:
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "anchor")
    points = (
        poi.points_tagged(*filter_of(parameters)) if asked.narrowed else poi.points_of(classes_of(parameters))
    )
    centre, goal, unfit, facts = None, None, None, {}
    if asked.direction == "sector":
        sector = parameter(parameters, "sector", int)
        if not 0 <= sector <= 7:
            raise Refused("bad_parameters", parameter="sector", found=sector)
        centre = 45.0 * sector
    elif asked.direction == "towards":
        goal, goal_lon, goal_lat = place_of(layers, parameters, "towards")
        apart, azimuth = measure(lon, lat, _one(goal_lon), _one(goal_lat))
        centre = float(azimuth[0])
        facts = {"apart": float(apart[0]), "bearing": centre}
        unfit = None if LEAST_APART <= facts["apart"] <= MOST_APART else "anchors_apart"
        if math.isnan(centre):
            raise Refused("anchors_apart", apart=facts["apart"])
    return Scene(poi, position, lon, lat, points, centre, goal, unfit, facts)


def _one(degrees: float) -> Floats:
    return np.array([degrees])


def _edge_degrees(azimuth: float, centre: float) -> float:
    """Degrees to the nearer edge of the sector around `centre`, from inside or outside."""
    return abs(float(circular_difference(azimuth, centre)) - HALF_WIDTH)


def _value(
    layers: Layers, scene: Scene, asked: Asked, objects: Sequence[Found], tolerated: Sequence[Found]
) -> dict[str, Any]:
    if not asked.located:
        return named_value(scene.poi, objects, tolerated)
    return {
        "objects": [_located(layers, one) for one in objects],
        "tolerated": [_located(layers, one) for one in tolerated],
    }


def _located(layers: Layers, found: Found) -> dict[str, Any]:
    return {**described(layers["poi"], found), "address": address_of(layers, found.position)}


def _is_sure(one: Found, centre: float | None, within: float) -> bool:
    if one.distance > within:
        return False
    if centre is None:
        return True
    apart = float(circular_difference(one.azimuth, centre))
    return apart < HALF_WIDTH - EDGE_DEGREES and one.distance >= LEAST_DISTANCE


def within_distance(layers: Layers, parameters: Parameters, asked: Asked) -> SecondAnswer:
    """Any of a category within a distance; those near the circle or an edge are tolerated, not counted on."""
    scene = _scene(layers, parameters, asked)
    poi, facts = scene.poi, scene.facts
    distance = float(parameter(parameters, "distance", (int, float)))
    if not 0 < distance < float("inf"):
        raise Refused("bad_parameters", parameter="distance", found=distance)
    tolerance = max(5.0, 0.01 * distance)
    found = scene.points.within(scene.lon, scene.lat, distance + tolerance, skip=scene.position)
    if not asked.located:
        found = [one for one in found if is_named(poi.rows[one.position])]
    if scene.centre is not None:
        reach = HALF_WIDTH + EDGE_DEGREES
        found = [one for one in found if float(circular_difference(one.azimuth, scene.centre)) <= reach]
    sure = [_is_sure(one, scene.centre, distance - tolerance) for one in found]
    objects = [one for one, certain in zip(found, sure, strict=True) if certain]
    tolerated = [one for one, certain in zip(found, sure, strict=True) if not certain]
    named = len(np.intersect1d(scene.points.positions, poi.named, assume_unique=True))
    facts |= {
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
        (any(one.position == scene.goal for one in found), "names_itself"),
    )
    outside = outline_refusal(layers, scene.lon, scene.lat, distance + tolerance, facts)
    return SecondAnswer(
        _value(layers, scene, asked, objects, tolerated), scene.unfit or refusal or outside, facts
    )


def nearest_of(layers: Layers, parameters: Parameters, asked: Asked) -> SecondAnswer:
    """The nearest of a category; in a sector, with nothing near its edges that could change it."""
    scene = _scene(layers, parameters, asked)
    poi, centre, facts = scene.poi, scene.centre, scene.facts
    if centre is None:
        everyone = found = scene.points.nearest(scene.lon, scene.lat, skip=scene.position)
    else:
        everyone = scene.points.nearest_around(scene.lon, scene.lat, centre, skip=scene.position)
        found = [one for one in everyone if bool(is_around(one.azimuth, centre))]
    if not found:
        raise Refused(scene.unfit or "no_candidate", **facts)
    facts |= nearest_facts(found)
    reach = found[0].distance + facts["margin"]
    if centre is not None:
        facts["edge_degrees"] = min(
            _edge_degrees(one.azimuth, centre)
            for one in everyone
            if one.distance < reach and not math.isnan(one.azimuth)
        )
    close = rivals(found)
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in close), "repaired_geometry"),
        (found[0].distance < LEAST_DISTANCE, "too_near"),
        (reach > (math.inf if asked == Asked(asked.located) else MOST_FAR), "too_far"),
        (len(close) > 1, "margin"),
        (facts.get("edge_degrees", math.inf) <= EDGE_DEGREES, "near_sector_edge"),
        (not asked.located and not is_named(poi.rows[found[0].position]), "unnamed_answer"),
        (found[0].position == scene.goal, "names_itself"),
    )
    outside = outline_refusal(layers, scene.lon, scene.lat, reach, facts)
    return SecondAnswer(_value(layers, scene, asked, found[:1], []), scene.unfit or refusal or outside, facts)


Way = Callable[[Layers, Parameters, Asked], SecondAnswer]
_WAYS: Mapping[str, tuple[Way, Asked]] = {
    "T1": (within_distance, Asked(located=False)),
    "T2": (within_distance, Asked(located=False, narrowed=True)),
    "T3": (within_distance, Asked(located=False, direction="sector")),
    "T4": (within_distance, Asked(located=False, direction="towards")),
    "T5": (nearest_of, Asked(located=False)),
    "T6": (nearest_of, Asked(located=False, narrowed=True)),
    "T9": (nearest_of, Asked(located=False, direction="sector")),
    "T10": (nearest_of, Asked(located=False, direction="towards")),
    "T13": (within_distance, Asked(located=True)),
    "T14": (within_distance, Asked(located=True, narrowed=True)),
    "T15": (within_distance, Asked(located=True, direction="sector")),
    "T16": (within_distance, Asked(located=True, direction="towards")),
    "T17": (nearest_of, Asked(located=True)),
    "T18": (nearest_of, Asked(located=True, narrowed=True)),
    "T19": (nearest_of, Asked(located=True, direction="sector")),
    "T20": (nearest_of, Asked(located=True, direction="towards")),
}


def _for(way: Way, asked: Asked) -> SecondPath:
    return lambda layers, parameters: way(layers, parameters, asked)


_TOLD_SINCE = {"T1": 3, "T5": 3, "T9": 3}
"""The version of a template since which anchors are told apart by their cities: 2 where nothing else is said."""

for _template, (_way, _asked) in _WAYS.items():
    _proved = _for(_way, _asked)
    second_path("gsqa", _template)(with_unique_names(_proved))
    second_path("gsqa", _template, since=_TOLD_SINCE.get(_template, 2))(with_told_anchors(_proved))
