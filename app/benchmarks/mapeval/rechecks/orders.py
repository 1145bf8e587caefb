"""The order of visits that takes the least time to travel. Pure."""

import re
from collections.abc import Mapping
from itertools import pairwise

from app.benchmarks.mapeval.rechecks.asked import AskedQuestion, judged, unchecked
from app.benchmarks.mapeval.rechecks.names import key_text
from app.questions.rechecking.checks import Finding

ORDER = "order of visits"
_ARROW = re.compile(r"\s*(?:->|→|=>|-->|>)\s*")
_TIMED = (
    r"\b([0-9]+ ?[ap]\.?m|open\w*|clos\w+|spend|stay\w*|for [0-9.]+ hours?|hours? (?:at|in|there)|schedule"
    r"|before|after)\b"
)
_MODES = {
    "by car": r"\b(car|driv\w+|taxi|cab)\b",
    "on foot": r"\b(foot|walk\w*)\b",
    "by cycle": r"\b(cycl\w*|bik\w*)\b",
    "by public transport": r"\b(public transport\w*|transit|bus|train|metro)\b",
}


def check_order(asked: AskedQuestion) -> Finding | None:
    """Which order takes least travel, with sequences of places as options; None for other questions."""
    sequences = [[one for one in _ARROW.split(option) if one.strip()] for option in asked.options]
    if any(len(one) < 3 for one in sequences):
        return None
    if asked.says(_TIMED) or not asked.says(
        r"\b(shortest|least|minim\w+|fastest|quickest|optimal|efficient\w*|less)\b"
    ):
        return unchecked(ORDER, "Opening hours, stays or other conditions may decide, and not travel alone.")
    if len({key_text(one[0]) for one in sequences}) > 1:
        return unchecked(ORDER, "The options do not begin at one place.")
    modes = [mode for mode, words in _MODES.items() if asked.says(words)]
    known = {mode for _, _, mode in asked.context.travel}
    mode = modes[0] if len(modes) == 1 else next(iter(known)) if len(known) == 1 and not modes else None
    if mode is None:
        return unchecked(ORDER, "It is not sure by which means one travels.")
    legs = {
        (key_text(a), key_text(b)): time for (a, b, by), time in asked.context.travel.items() if by == mode
    }
    totals = [_total(one, legs) for one in sequences]
    if any(one is None for one in totals):
        return unchecked(ORDER, f"The context does not tell the time of every leg {mode}.")
    minutes = [one for one in totals if one is not None]
    told = "; ".join(f"{option}: {time} min" for option, time in zip(asked.options, minutes))
    least = min(minutes)
    if minutes.count(least) > 1:
        return unchecked(ORDER, f"Two orders take the least time. {told}.")
    found = judged(asked, ORDER, minutes.index(least), f"{told}.")
    if minutes.index(least) not in asked.keys and any(one.hours is not None for one in asked.context.places):
        return unchecked(ORDER, f"Opening hours may decide. {told}.")
    return found


def _total(sequence: list[str], legs: Mapping[tuple[str, str], int]) -> int | None:
    times = [legs.get((key_text(one), key_text(other))) for one, other in pairwise(sequence)]
    return None if any(one is None for one in times) else sum(one for one in times if one is not None)
