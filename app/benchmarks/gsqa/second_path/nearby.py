"""Second path of T22, and what all questions about places of a category around an anchor share."""

import math
from collections.abc import Sequence
from typing import Any

from app.benchmarks.gsqa.second_path.anchors import with_told_anchors
from app.benchmarks.gsqa.second_path.categories import classes_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    second_path,
)
from app.questions.second_path.geodesy import Found
from app.questions.second_path.layers import Layer, Layers
from app.questions.second_path.nearby import (
    Facts,
    described,
    nearest_facts,
    outline_refusal,
    place_of,
    rivals,
)

LEAST_DISTANCE = 20.0
"""Metres that the nearest must be away."""


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


@second_path("gsqa", "T22")
def nearest_azimuth(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The azimuth of the nearest of a category."""
    nearest, refusal, facts = nearest_of(layers, parameters)
    if math.isnan(nearest.azimuth):
        raise Refused("too_near", **facts)
    value = {"azimuth": nearest.azimuth, "objects": [described(layers["poi"], nearest)]}
    return SecondAnswer(value, refusal, facts)


second_path("gsqa", "T22", since=2)(with_told_anchors(nearest_azimuth))


def named_value(layer: Layer, objects: Sequence[Found], tolerated: Sequence[Found]) -> dict[str, Any]:
    """Gold of a question for names."""
    names = {layer.rows[one.position].name for one in objects}
    return {
        "names": sorted(name for name in names if name is not None),
        "objects": [described(layer, one) for one in objects],
        "tolerated": [described(layer, one) for one in tolerated],
    }
