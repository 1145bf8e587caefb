"""Refusals of MapEval's questions that are certain before any SQL or router is asked."""

from collections.abc import Mapping
from math import cos, hypot, radians
from typing import Any

from app.benchmarks.mapeval.distractors.plane import METRES_A_DEGREE, METRES_A_MINUTE
from app.questions.alike import COMMON
from app.questions.derivations.hours import is_plain, read_week
from app.questions.prechecks import Intended, precheck

FEWEST_MINUTES = 3
"""How long a way whose roads are asked for takes at least."""


@precheck("mapeval")
def has_readable_hours(intended: Intended) -> str | None:
    """Whether the opening hours of all places that one may go to are days with times."""
    for facts in intended.facts.values():
        hours = (facts.get("hours") or [])[1:]
        if any(not is_plain(said) or read_week(said) is None for said in hours):
            return "unreadable_hours"
    return None


@precheck("mapeval")
def is_long_way(intended: Intended) -> str | None:
    """Whether the ends of a way whose roads are asked for are so far apart that it may take long enough.

    Nearer places are refused even where the way leads around: on a small map nearly all pairs are so near, and to ask
    the router about each would take hours.
    """
    ends = _ends_of_way(intended.facts)
    if ends is None:
        return None
    return "too_close" if _metres_between(*ends) < FEWEST_MINUTES * METRES_A_MINUTE["car"] else None


@precheck("mapeval")
def is_drawn_for_mode(intended: Intended) -> str | None:
    """Whether these places are asked about by this mode of travel, where their pick draws an answer for each mode."""
    modes = intended.facts.get("places", {}).get("modes")
    return None if modes is None or intended.binds["mode"] in modes else COMMON


def _ends_of_way(
    facts: Mapping[str, Mapping[str, Any]],
) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    """Where a way starts and ends whose roads or turns are asked for; None for other questions."""
    if {"origin", "destination", "ordinal"} <= facts.keys():
        return facts["origin"], facts["destination"]
    if "places" in facts and {"after", "counted"} & facts.keys():
        start, end, *_ = zip(facts["places"]["lons"], facts["places"]["lats"], strict=True)
        return {"lon": start[0], "lat": start[1]}, {"lon": end[0], "lat": end[1]}
    return None


def _metres_between(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    east = (one["lon"] - other["lon"]) * cos(radians(one["lat"]))
    return METRES_A_DEGREE * hypot(east, one["lat"] - other["lat"])
