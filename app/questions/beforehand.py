"""Refusals that are certain before any SQL is asked: the very reason that the derivation would give. Pure."""

import math
from collections.abc import Mapping
from typing import Any

from app.core.seeds import choose
from app.questions.derivations.base import radius_within
from app.questions.derivations.comparing import FIRST, RANKS

MEAN_RADIUS = 6_371_008.8
SHORTEST_SHARE = 0.993
"""Of a distance on the sphere of that radius: no geodesic of the spheroid is shorter."""

Facts = Mapping[str, Mapping[str, Any]]


def refused_beforehand(
    binds: Mapping[str, Any], facts: Facts, room: float | None, variant: str = "default"
) -> str | None:
    """Why a tuple cannot become a question, as far as its binds and what picks know of its places say.

    `room` is how many metres of map there are around the anchor, where that matters.
    """
    if "rank" in binds and binds["rank"] != _rank_asked(str(binds["aois"]), variant):
        return "other_form"
    radius = radius_within(binds)
    if radius is not None and room is not None and room < radius:
        return "leaves_outline"
    anchor, towards = facts.get("anchor", {}), facts.get("towards", {})
    own_class = anchor.get("class") is not None and anchor["class"] == facts.get("category", {}).get("class")
    if "apart_most" in binds and "lon" in anchor and "lon" in towards and not own_class:
        least = SHORTEST_SHARE * _on_sphere(anchor, towards)
        return "anchors_far_apart" if least > binds["apart_most"] else None
    return None


def _rank_asked(aois: str, variant: str) -> str:
    """Which of four areas is asked for: published, the first; else any, so that the four alone do not tell the key."""
    return FIRST if variant == "published" else choose(RANKS, 0, "rank", aois)


def _on_sphere(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """Metres between two places with lon and lat in degrees, by the haversine."""
    south, north = math.radians(one["lat"]), math.radians(other["lat"])
    half_up, half_across = (north - south) / 2, math.radians(other["lon"] - one["lon"]) / 2
    squared = math.sin(half_up) ** 2 + math.cos(south) * math.cos(north) * math.sin(half_across) ** 2
    return 2 * MEAN_RADIUS * math.asin(min(1.0, math.sqrt(squared)))
