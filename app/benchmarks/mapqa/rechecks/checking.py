"""One published question → what became of its key. Registers the checker of the format `mapqa`.

The files tell where the places of a question and of its answer are, not what else is on the map: that nothing else
would be an answer is never checked, and the workings say so.
"""

import re
from collections.abc import Callable, Mapping

from app.benchmarks.mapqa.imported.coordinates import NOWHERE, Spot, ground_metres, plane_metres
from app.questions.rechecking.checks import AGREES, CHECKERS, CONTRADICTS, UNCHECKED, Finding, KeyedQuestion

SAME_SHARE = 0.001
"""A distance that differs by less is the published one."""
RIGHT_SHARE = 0.01
"""An answer that differs from the distance over the ground by more is wrong."""
BESIDE_M = 50.0
ROUNDED_M = 5.0
"""Metres that a point of an area may lie from another: nearer to the edge of a circle nothing is sure."""
BESIDE_AREAS_M = 1000.0
"""Metres that points of two areas that lie beside each other may be apart, where a question says no number."""
CLEAR_RATIO = 1.01
"""Of two distances, below which the closer one is not sure."""
_METRES = re.compile(r"\b\d+ ?m(?:et(?:er|re)s?)?\b")
_DIRECTION = re.compile(r"\b(north|south|east|west) of\b")
Places = Mapping[str, Spot]


def check_key(question: KeyedQuestion) -> Finding:
    """The finding for one question of the files."""
    places = {
        str(one["name"]): Spot(float(one["lon"]), float(one["lat"]), one["written"])
        for one in question.told.get("places", ())
    }
    check = CHECKS.get(question.template)
    if check is None:
        return Finding(UNCHECKED, question.template, "The files do not tell what is around the place.")
    if any(one.written == NOWHERE for one in places.values()) or not places:
        return Finding(UNCHECKED, question.template, "The files do not tell where its places are.")
    return check(question, places)


def _distance(question: KeyedQuestion, places: Places) -> Finding:
    if len(places) != 2:
        return Finding(UNCHECKED, "distance", f"The file has {len(places)} places for it, not 2.")
    one, other = places.values()
    ground, plane, told = ground_metres(one, other), plane_metres(one, other), question.gold["distance"]
    working = (
        f"Over the ground it is {ground:,.2f} m, on the plane of Web Mercator {plane:,.2f} m; the key is "
        f"{told:,.2f} m"
    )
    if abs(told - ground) <= RIGHT_SHARE * ground:
        return Finding(AGREES, "distance", f"{working}.")
    if abs(told - plane) <= SAME_SHARE * plane:
        return Finding(
            CONTRADICTS, "distance", f"{working}, that of the plane, {told / ground:.3f} times as long."
        )
    return Finding(CONTRADICTS, "distance", f"{working}, which is neither.")


def _closer(question: KeyedQuestion, places: Places) -> Finding:
    (key,) = question.gold["names"]
    anchor, *named = places
    if len(named) != 2 or key not in named:
        return Finding(
            UNCHECKED, "compare_closer", "The places of the question are not an anchor and two others."
        )
    metres = {name: ground_metres(places[anchor], places[name]) for name in named}
    near, far = sorted(named, key=metres.__getitem__)
    working = f"From {anchor}, {near} is {metres[near]:,.0f} m away, and {far} {metres[far]:,.0f} m"
    last = " The key is the place that is named last." if _is_last(question.text, key) else ""
    if metres[far] < CLEAR_RATIO * metres[near]:
        return Finding(UNCHECKED, "compare_closer", f"{working}: neither is clearly closer.{last}")
    verdict = AGREES if key == near else CONTRADICTS
    return Finding(verdict, "compare_closer", f"{working}. The key is {key!r}.{last}")


def _is_last(text: str, key: str) -> bool:
    return text.rstrip("? ").endswith(key)


def _direction(question: KeyedQuestion, places: Places) -> Finding:
    (key,) = question.gold["names"]
    told = _DIRECTION.search(question.text)
    anchor, *named = places
    if told is None or key not in named:
        return Finding(UNCHECKED, "direction_nearest", "The file does not tell where the answer is.")
    here, there = places[anchor], places[key]
    sides = {
        "north": there.lat - here.lat,
        "south": here.lat - there.lat,
        "east": there.lon - here.lon,
        "west": here.lon - there.lon,
    }
    side = told[1]
    metres = ground_metres(here, there)
    if sides[side] < 0:
        return Finding(CONTRADICTS, "direction_nearest", f"{key} does not lie {side} of {anchor}.")
    return Finding(
        UNCHECKED,
        "direction_nearest",
        f"{key} lies {side} of {anchor}, {metres:,.0f} m away; whether another is nearer, the file does not tell.",
    )


def _beside(question: KeyedQuestion, places: Places) -> Finding:
    anchor, *named = places
    keys = question.gold["members"]
    lacking = [name for name in keys if name not in named]
    if lacking:
        return Finding(UNCHECKED, question.template, f"The file does not tell where {lacking[0]} is.")
    metres = {name: ground_metres(places[anchor], places[name]) for name in keys}
    farthest = max(keys, key=metres.__getitem__)
    working = f"From {anchor}, the farthest of the answer, {farthest}, is {metres[farthest]:,.0f} m away"
    if _METRES.search(question.text) is None and BESIDE_M < metres[farthest] <= BESIDE_AREAS_M:
        return Finding(
            UNCHECKED, question.template, f"{working}; the question names no distance, and areas may touch."
        )
    if metres[farthest] > BESIDE_M + ROUNDED_M:
        return Finding(CONTRADICTS, question.template, f"{working}, and not within {BESIDE_M:.0f} m.")
    if metres[farthest] > BESIDE_M - ROUNDED_M:
        return Finding(UNCHECKED, question.template, f"{working}: too near to {BESIDE_M:.0f} m to be sure.")
    return Finding(
        AGREES, question.template, f"{working}; whether others are as near, the file does not tell."
    )


CHECKS: Mapping[str, Callable[[KeyedQuestion, Places], Finding]] = {
    "distance": _distance,
    "compare_closer": _closer,
    "direction_nearest": _direction,
    "adjacent": _beside,
    "amenities_around_specific": _beside,
}
"""By type. `told` has no place twice: places of one name are one in the files."""

CHECKERS.add("mapqa", "mapqa", check_key)
