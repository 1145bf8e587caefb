"""Second path of T21, T23, T25 and T26: directions, counts and distances around an anchor.

Where any place will do, the answers and the error that still counts as correct may cover a quarter of what could be
said: 18 degrees to either side of the whole circle, a tenth of each distance of the range.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import shapely

from app.benchmarks.gsqa.second_path.anchors import with_told_anchors
from app.benchmarks.gsqa.second_path.categories import classes_of
from app.benchmarks.gsqa.second_path.nearby import LEAST_DISTANCE, nearest_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found
from app.questions.second_path.layers import Layer, Layers
from app.questions.second_path.nearby import Facts, described, outline_refusal, place_of

MOST_ANY = 10
"""How many places any of which is right."""
MOST_COVERED = 0.25
CORRECT_DEGREES = 18.0
CORRECT_SHARE = 0.1
MOST_COUNTED = 500


@second_path("gsqa", "T26")
def nearest_distance(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The distance to the nearest of a category."""
    nearest, refusal, facts = nearest_of(layers, parameters)
    value = {"distance": nearest.distance, "objects": [described(layers["poi"], nearest)]}
    return SecondAnswer(value, refusal, facts)


def _radius(parameters: Parameters) -> float:
    distance = float(parameter(parameters, "distance", (int, float)))
    if not 0 < distance < float("inf"):
        raise Refused("bad_parameters", parameter="distance", found=distance)
    return distance


def _any_of(layers: Layers, parameters: Parameters, azimuth_asked: bool) -> SecondAnswer:
    """Every place of a category within a distance, as answers of which any is right."""
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "anchor")
    distance = _radius(parameters)
    tolerance = max(5.0, 0.01 * distance)
    found = poi.points_of(classes_of(parameters)).within(lon, lat, distance + tolerance, skip=position)
    objects = [one for one in found if one.distance <= distance - tolerance]
    tolerated = [one for one in found if one.distance > distance - tolerance]
    if azimuth_asked:
        share = _share_of_circle([one.azimuth for one in found])
    else:
        share = _share_of_range([one.distance for one in found], distance)
    facts: Facts = {"objects": len(objects), "tolerated": len(tolerated), "covered": share}
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in found), "repaired_geometry"),
        (not objects, "zero"),
        (len(found) > MOST_ANY, "too_many"),
        (bool(found) and found[0].distance < LEAST_DISTANCE, "too_near"),
        (share > MOST_COVERED, "vacuous"),
    )
    outside = outline_refusal(layers, lon, lat, distance + tolerance, facts)
    if any(math.isnan(one.azimuth) for one in found):
        return SecondAnswer({}, "too_near", facts)
    value = {
        "objects": _described_all(poi, objects, azimuth_asked),
        "tolerated": _described_all(poi, tolerated, azimuth_asked),
    }
    return SecondAnswer(value, refusal or outside, facts)


def _described_all(poi: Layer, found: Sequence[Found], azimuth_asked: bool) -> list[dict[str, Any]]:
    return [described(poi, one) | ({"azimuth": one.azimuth} if azimuth_asked else {}) for one in found]


def _share_of_circle(azimuths: Sequence[float]) -> float:
    """How much of the circle lies within CORRECT_DEGREES of any azimuth: what the gaps between them leave."""
    around = sorted(azimuth for azimuth in azimuths if not math.isnan(azimuth))
    if not around:
        return 0.0
    gaps = [(other - one) % 360.0 for one, other in zip(around, [*around[1:], around[0]], strict=True)]
    if len(set(around)) == 1:
        gaps = [360.0]
    free = sum(max(0.0, gap - 2 * CORRECT_DEGREES) for gap in gaps)
    return 1.0 - free / 360.0


def _share_of_range(distances: Sequence[float], reach: float) -> float:
    """How much of (0, reach) lies within CORRECT_SHARE of any distance."""
    around = [
        shapely.LineString([((1 - CORRECT_SHARE) * one, 0), (min((1 + CORRECT_SHARE) * one, reach), 0)])
        for one in distances
    ]
    return float(shapely.length(shapely.union_all(around))) / reach if around else 0.0


@second_path("gsqa", "T21")
def azimuth_in_range(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The azimuth of any of a category within a distance."""
    return _any_of(layers, parameters, azimuth_asked=True)


@second_path("gsqa", "T25")
def distance_in_range(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The distance of any of a category within a distance."""
    return _any_of(layers, parameters, azimuth_asked=False)


@second_path("gsqa", "T23", since=2)
def count_of_places_mapped_once(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, where none of them is mapped twice."""
    found = count_in_range(layers, parameters)
    poi, classes = layers["poi"], classes_of(parameters)
    position, lon, lat = place_of(layers, parameters, "anchor")
    near = poi.points_of(classes).within(lon, lat, _radius(parameters), skip=position)
    twice = any(poi.twins.get(one.position, set()) & classes for one in near)
    return replace(found, refusal="twice_mapped") if twice and not found.refusal else found


@second_path("gsqa", "T23")
def count_in_range(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many of a category lie within a distance, none of them near the circle."""
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "anchor")
    distance = _radius(parameters)
    tolerance = max(1.0, 0.001 * distance)
    found = poi.points_of(classes_of(parameters)).within(lon, lat, distance + tolerance, skip=position)
    inside = [one for one in found if one.distance <= distance]
    facts: Facts = {"tolerance": tolerance, "counted": len(inside)}
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in inside), "repaired_geometry"),
        (any(abs(one.distance - distance) <= tolerance for one in found), "margin"),
        (not inside, "zero"),
        (len(found) > MOST_COUNTED, "too_many"),
    )
    outside = outline_refusal(layers, lon, lat, distance + tolerance, facts)
    return SecondAnswer({"count": len(inside)}, refusal or outside, facts)


for _template, _way in {"T21": azimuth_in_range, "T25": distance_in_range, "T26": nearest_distance}.items():
    second_path("gsqa", _template, since=2)(with_told_anchors(_way))
second_path("gsqa", "T23", since=3)(with_told_anchors(count_of_places_mapped_once))
