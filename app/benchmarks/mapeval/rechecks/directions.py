"""Directions of one place from another, and what lies directly in a direction. Pure."""

import re

from app.benchmarks.mapeval.rechecks.asked import AskedQuestion, judged, unchecked
from app.benchmarks.mapeval.rechecks.geometry import COMPASS, deviation, inverse, uncertainty
from app.benchmarks.mapeval.rechecks.names import named_best, named_closely, two_named
from app.questions.rechecking.checks import Finding

DIRECTION = "direction"
LANDMARK = "place in a direction"
_COMPASS_WORD = re.compile(
    r"\b(north|south)[- ]?(east|west)(?:ern|wards?)?\b|\b(north|east|south|west)(?:ern|wards?)?\b",
    re.IGNORECASE,
)
WORDINGS = (
    re.compile(
        r"\bdirection of (?P<target>.+?) (?:from|relative to|with respect to) (?P<origin>.+)", re.IGNORECASE
    ),
    re.compile(r"\bdirection\b.*? from (?P<origin>.+?) to (?:reach )?(?P<target>.+)", re.IGNORECASE),
    re.compile(
        r"\bdirection is (?P<target>.+?) (?:located |situated )?(?:from|relative to|with respect to) (?P<origin>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:at|in|near) (?P<origin>[^.,?]+)[.,].*?\bdirection\b[^?]*?"
        r" to (?:reach|get to|go to|find) (?P<target>[^?]+)",
        re.IGNORECASE,
    ),
)
_DIRECTLY = re.compile(
    r"(?:directly|due|exactly|immediately|straight)?\s*(?:to the )?(?P<way>north|east|south|west) of (?P<origin>.+)",
    re.IGNORECASE,
)
CLEAR = 50.0
"""Degrees: a key that lies as far from the direction is contradicted; published keys lie up to 44 degrees off."""
STRAIGHT, ASIDE = 30.0, 60.0
"""Degrees: what lies straight in a direction, and what surely does not."""


def compass_of(text: str) -> float | None:
    """The one direction that a text names, in degrees; None where it names none, or several."""
    found = list(_COMPASS_WORD.finditer(text))
    if len(found) != 1:
        return None
    names = "".join(part.lower() for part in found[0].groups() if part)
    return COMPASS[names]


def reads_direction(option: str, azimuth: float | None, metres: float) -> bool:
    """Whether an option names no direction, or the one that the azimuth lies in; without one, whether it names any."""
    named = compass_of(option)
    if azimuth is None:
        return named is not None
    return named is None or deviation(azimuth, named) <= 45.0 + uncertainty(metres)


def check_direction(asked: AskedQuestion) -> Finding | None:
    """The direction of one place from another, with directions alone as options; None for other questions."""
    ways = [compass_of(one) for one in asked.options]
    known = [(place, way) for place, way in enumerate(ways) if way is not None]
    if (
        len(known) < len(ways)
        or len({way for _, way in known}) < len(ways)
        or not asked.says(r"\bdirection\b")
    ):
        return None
    if any(re.search(r"[0-9]", one) for one in asked.options):
        return None
    found = next((match for one in WORDINGS if (match := one.search(asked.text))), None)
    places = found and two_named(found["origin"], found["target"], asked.context.placed)
    if not places:
        return unchecked(DIRECTION, "It is not sure which place is asked about, and from which one.")
    origin, target = places
    azimuth, metres = inverse(origin, target)
    working = f"From {origin.name} to {target.name} the azimuth is {azimuth:.1f}°"
    off = {place: deviation(azimuth, way) for place, way in known}
    best = min(off, key=lambda place: off[place])
    if best in asked.keys:
        return judged(asked, DIRECTION, best, f"{working}.")
    if min(off[place] for place in asked.keys) < CLEAR + uncertainty(metres) or off[best] > 40.0:
        return unchecked(DIRECTION, f"{working}, near the border between two directions.")
    return judged(asked, DIRECTION, best, f"{working}.")


def check_landmark(asked: AskedQuestion) -> Finding | None:
    """Which place lies directly in a direction, with places as options; None for other questions."""
    found = _DIRECTLY.search(asked.text)
    if found is None or compass_of(asked.text) is None or asked.says(r"\bhow many\b|\bnearest\b|\bclosest\b"):
        return None
    placed = asked.context.placed
    options = [named_closely(one, placed) for one in asked.options]
    others = [one for one in placed if all(one is not option for option in options)]
    origin = named_best(found["origin"], others) if others else None
    if origin is None or any(one is None for one in options):
        return unchecked(LANDMARK, "Not every place that is named is one of the context with coordinates.")
    way = COMPASS[found["way"].lower()]
    off = {
        place: deviation(inverse(origin, one)[0], way) for place, one in enumerate(options) if one is not None
    }
    told = "; ".join(f"{asked.options[place]} {degrees:.0f}° off" for place, degrees in sorted(off.items()))
    best = min(off, key=lambda place: off[place])
    if best not in asked.keys and (off[best] > STRAIGHT or min(off[place] for place in asked.keys) < ASIDE):
        return unchecked(LANDMARK, f"No option lies clearly in the direction alone. {told}.")
    return judged(asked, LANDMARK, best, f"Seen from {origin.name}: {told}.")
