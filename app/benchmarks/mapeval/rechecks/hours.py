"""Whether a place is open then: yes or no. Pure."""

import re

from app.benchmarks.mapeval.rechecks.asked import AskedQuestion, judged, unchecked
from app.benchmarks.mapeval.rechecks.names import key_text, named_closely
from app.benchmarks.mapeval.rechecks.opening import is_open, read_moment
from app.questions.rechecking.checks import Finding

HOURS = "open then"
_PLAIN = re.compile(
    r"\s*(?:is|will|does)\s+(?P<place>.+?)\s+(?:be\s+|remain\s+|stay\s+)?(?P<state>open|closed)\s+"
    r"(?P<when>(?:(?:on|at|in|by|the|of|this|every|morning|afternoon|evening|night|noon|midday|[0-9:.]+|[ap]\.?\s?m\.?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)[\s,]*)+)[?.]?\s*",
    re.IGNORECASE,
)
_VAGUE = r"\b(morning|afternoon|evening|night)\b"


def check_hours(asked: AskedQuestion) -> Finding | None:
    """Whether a place is open then, with yes and no as options; None for other questions."""
    yes, no = asked.find("yes"), asked.find("no")
    found = _PLAIN.fullmatch(asked.text)
    if yes is None or no is None or len(asked.options) != 2 or found is None:
        return None
    moment = read_moment(found["when"])
    place = named_closely(found["place"], asked.context.places)
    if place is None or place.hours is None:
        return unchecked(HOURS, f"The context has no opening hours of a place called {found['place']!r}.")
    if moment is None or moment.day is None or (moment.minute is None and asked.says(_VAGUE)):
        return unchecked(HOURS, "It is not sure at which day and time it is asked.")
    opened = is_open(place.hours, moment)
    if opened is None:
        return unchecked(HOURS, f"The hours of {place.name} do not tell it for {moment.day.capitalize()}.")
    asks_closed = key_text(found["state"]) == "closed"
    told = "open" if opened else "closed"
    at = "" if moment.minute is None else f" at {moment.minute // 60:02d}:{moment.minute % 60:02d}"
    working = f"{place.name} is {told} on {moment.day.capitalize()}{at} by the hours in the context."
    return judged(asked, HOURS, yes if opened != asks_closed else no, working)
