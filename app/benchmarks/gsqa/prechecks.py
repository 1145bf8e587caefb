"""Prechecks of GS-QA: an anchor of the class that is asked for; two anchors too far apart for a direction. Metres."""

import math
from collections.abc import Mapping
from typing import Any

from app.benchmarks.gsqa.derivations.places import is_own_class
from app.questions.prechecks import Intended, precheck

MEAN_RADIUS = 6_371_008.8
SHORTEST_SHARE = 0.993
"""Of a distance on the sphere of that radius: no geodesic of the spheroid is shorter."""


@precheck("gsqa")
def own_class(intended: Intended) -> str | None:
    """Whether the question would ask for places of the anchor's own class."""
    return "own_class" if is_own_class(intended.facts, intended.binds) else None


@precheck("gsqa")
def anchors_far_apart(intended: Intended) -> str | None:
    """Whether two anchors are surely farther apart than the template allows.

    Where the anchor is of the category's class, the tuple is refused for that reason instead.
    """
    facts, most = intended.facts, intended.binds.get("apart_most")
    anchor, towards = facts.get("anchor", {}), facts.get("towards", {})
    own = is_own_class(facts, intended.binds)
    if most is None or "lon" not in anchor or "lon" not in towards or own:
        return None
    return "anchors_far_apart" if SHORTEST_SHARE * _on_sphere(anchor, towards) > most else None


def _on_sphere(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """Metres between two places with lon and lat in degrees, by the haversine."""
    south, north = math.radians(one["lat"]), math.radians(other["lat"])
    half_up, half_across = (north - south) / 2, math.radians(other["lon"] - one["lon"]) / 2
    squared = math.sin(half_up) ** 2 + math.cos(south) * math.cos(north) * math.sin(half_across) ** 2
    return 2 * MEAN_RADIUS * math.asin(min(1.0, math.sqrt(squared)))
