"""Straight-line distances, and the closest or farthest pair. Pure."""

import re

from app.benchmarks.mapeval.rechecks.asked import AskedQuestion, judged, unchecked
from app.benchmarks.mapeval.rechecks.contexts import ListedPlace
from app.benchmarks.mapeval.rechecks.directions import WORDINGS, reads_direction
from app.benchmarks.mapeval.rechecks.geometry import ROUNDING, inverse, metres_between
from app.benchmarks.mapeval.rechecks.names import key_words, named_closely, two_named
from app.questions.rechecking.checks import Finding

DISTANCE = "straight-line distance"
PAIRS = "closest or farthest pair"
_QUANTITY = re.compile(
    r"(?<![\w.])([0-9][0-9,]*(?:\.[0-9]+)?)\s*(km|kms|kilometers?|kilometres?|m|meters?|metres?|miles?|mi)\b",
    re.IGNORECASE,
)
_UNITS = {"k": 1000.0, "mi": 1609.344, "m": 1.0}
_BETWEEN = re.compile(r"\bbetween (?P<first>.+?) and (?P<second>.+)", re.IGNORECASE)
_OFF = re.compile(
    r"\b(?:how far (?:away )?is|distance of) (?P<first>.+?) from (?P<second>.+?)"
    r"(?: (?:in|by) (?:a )?straight.*)?[?.]*$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom (?P<first>.+?) to (?P<second>.+)", re.IGNORECASE)
FITS = 0.015
"""Share of the distance by which an option may differ from it."""
APART = 0.03
"""Share of the distance by which every other option must differ."""
_PAIR = re.compile(r"\s+(?:and|&|-|–|to)\s+")
PAIR_MARGIN = 0.02


def check_distance(asked: AskedQuestion) -> Finding | None:
    """The distance between two places, with or without the direction; None for other questions."""
    if not asked.says(r"straight[- ]?line|as the crow flies|aerial distance|displacement"):
        return None
    lengths = [_metres_of(one) for one in asked.options]
    if any(one is None for one in lengths):
        return None
    places = _two_places(asked)
    if places is None:
        return unchecked(DISTANCE, "It is not sure between which two places of the context it is asked.")
    azimuth, metres = inverse(*places)
    working = f"{places[0].name} and {places[1].name} are {metres / 1000:.2f} km apart on WGS84"
    fitting = [
        place
        for place, one in enumerate(lengths)
        if one is not None and abs(one - metres) <= max(FITS * metres, 2 * ROUNDING)
    ]
    with_direction = [place for place in fitting if reads_direction(asked.options[place], azimuth, metres)]
    if len(with_direction) != 1:
        return unchecked(DISTANCE, f"{working}: {len(with_direction)} options fit.")
    near = [
        place
        for place, one in enumerate(lengths)
        if place not in fitting and one is not None and abs(one - metres) < APART * metres
    ]
    if near and with_direction[0] not in asked.keys:
        return unchecked(DISTANCE, f"{working}: options lie too close together.")
    return judged(asked, DISTANCE, with_direction[0], f"{working}.")


def _metres_of(option: str) -> float | None:
    """The one length that an option names."""
    found = _QUANTITY.findall(option)
    if len(found) != 1:
        return None
    number, unit = found[0]
    unit = unit.lower()
    factor = _UNITS["k"] if unit.startswith("k") else _UNITS["mi" if unit.startswith("mi") else "m"]
    return float(number.replace(",", "")) * factor


def _two_places(asked: AskedQuestion) -> tuple[ListedPlace, ListedPlace] | None:
    """From the first to the second place that the question names."""
    placed = asked.context.placed
    directed = next((match for one in WORDINGS if (match := one.search(asked.text))), None)
    if directed is not None:
        return two_named(directed["origin"], directed["target"], placed)
    named = next((match for one in (_BETWEEN, _OFF, _FROM) if (match := one.search(asked.text))), None)
    if named is not None:
        found = two_named(named["first"], named["second"], placed)
        if found is not None:
            return found
    # The order does not matter for a distance alone, where there are just two places and the question speaks of both.
    words = key_words(asked.text)
    if len(placed) == 2 and all(key_words(one.name) & words for one in placed):
        return (
            None if any(reads_direction(one, None, 0.0) for one in asked.options) else (placed[0], placed[1])
        )
    return None


def check_pairs(asked: AskedQuestion) -> Finding | None:
    """Which two places are closest to each other, or farthest, with pairs as options; None for other questions."""
    closest = asked.says(r"\b(closest|nearest|shortest|least)\b")
    farthest = asked.says(r"\b(farthest|furthest|longest|most distant|greatest)\b")
    if closest == farthest or asked.says(r"\b(walk|driv|car|route|travel time|minutes?|road|foot|cycl|bus)"):
        return None
    pairs = [_pair(one, asked.context.placed) for one in asked.options]
    if not any(pairs):
        return None
    known = [(place, metres_between(*pair)) for place, pair in enumerate(pairs) if pair is not None]
    if len(known) < len(pairs):
        return unchecked(
            PAIRS, "Not every option names two places of the context whose coordinates it tells."
        )
    ordered = sorted(known, key=lambda one: one[1], reverse=farthest)
    (first, metres), (_, second) = ordered[0], ordered[1]
    told = "; ".join(f"{asked.options[place]}: {length / 1000:.2f} km" for place, length in ordered)
    if abs(second - metres) < max(PAIR_MARGIN * max(metres, second), 4 * ROUNDING):
        return unchecked(PAIRS, f"The first two are too close to each other to tell. {told}.")
    return judged(asked, PAIRS, first, f"{told}.")


def _pair(option: str, places: list[ListedPlace]) -> tuple[ListedPlace, ListedPlace] | None:
    """The two places that an option names, split at the one joint where both parts are names."""
    found = []
    for joint in _PAIR.finditer(option):
        one, other = (
            named_closely(option[: joint.start()], places),
            named_closely(option[joint.end() :], places),
        )
        if one is not None and other is not None and one is not other:
            found.append((one, other))
    return found[0] if len(found) == 1 else None
