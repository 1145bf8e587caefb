"""Refusals of MapEval's questions that are certain before any SQL or router is asked."""

from app.questions.derivations.hours import is_plain, read_week
from app.questions.prechecks import Intended, precheck


@precheck("mapeval")
def has_readable_hours(intended: Intended) -> str | None:
    """Whether the opening hours of all places that one may go to are days with times."""
    for facts in intended.facts.values():
        hours = (facts.get("hours") or [])[1:]
        if any(not is_plain(said) or read_week(said) is None for said in hours):
            return "unreadable_hours"
    return None
