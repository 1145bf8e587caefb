"""Refusals that are certain before any SQL is asked: activities that too few or too many destinations have near."""

from app.questions.prechecks import Intended, precheck

LEAST_SHARE, MOST_SHARE = 0.05, 0.60
"""Of all destinations of the class, how many have the activity beside them: with less a question is hard to answer
anywhere, and with more the nearest destination is nearly always right."""


@precheck("evgeoqa")
def is_telling(intended: Intended) -> str | None:
    """Whether the activity tells destinations apart."""
    destination = str(intended.binds.get("destination"))
    if destination in str(intended.binds.get("activity")).split(","):
        return "same_class"
    share = intended.facts.get("activity", {}).get("shares") or {}
    if share.get(destination, 0.0) < LEAST_SHARE:
        return "rare_activity"
    return "common_activity" if share[destination] > MOST_SHARE else None
