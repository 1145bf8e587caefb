"""Refusals of MapEval's questions that are certain before any SQL or router is asked."""

from collections.abc import Mapping
from math import cos, hypot, radians
from typing import Any

from app.benchmarks.mapeval.distractors.plane import METRES_A_DEGREE, METRES_A_MINUTE
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
    facts = intended.facts
    if not {"origin", "destination", "ordinal"} <= facts.keys():
        return None
    metres = _metres_between(facts["origin"], facts["destination"])
    return "too_close" if metres < FEWEST_MINUTES * METRES_A_MINUTE["car"] else None


def _metres_between(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    east = (one["lon"] - other["lon"]) * cos(radians(one["lat"]))
    return METRES_A_DEGREE * hypot(east, one["lat"] - other["lat"])
