"""One published question → what became of its key. Registers the checker of the format `gsqa`.

The files tell where the anchor and the answers are, not what else is on the map: that nothing else is nearer, or also
in range, is never checked. In questions with a direction, the point given for an answer is that of the anchor
(docs/faults.md), so nothing can be measured.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyproj import Geod

from app.questions.rechecking.checks import AGREES, CHECKERS, CONTRADICTS, UNCHECKED, Finding, KeyedQuestion

_GEOD = Geod(ellps="WGS84")
SAME_SHARE, SAME_M = 0.001, 1.0
"""A distance that differs by no more than the share or the metres is the published one."""
SAME_DEGREES = 0.1
DIRECTIONS: Mapping[str, float] = {
    "north": 0.0,
    "northeast": 45.0,
    "east": 90.0,
    "southeast": 135.0,
    "south": 180.0,
    "southwest": 225.0,
    "west": 270.0,
    "northwest": 315.0,
}
HALF_SECTOR = 22.5
Answer = Mapping[str, Any]
Point = Sequence[float]


def check_key(question: KeyedQuestion) -> Finding:
    """The finding for one question of the files."""
    places = question.told.get("places")
    if not isinstance(places, Mapping):
        return Finding(
            UNCHECKED, "places", "The data set was loaded before places were kept: load its files again."
        )
    anchors, answers = places["anchors"], places["answers"]
    located = [one for one in answers if one["point"] is not None]
    if not anchors or not located:
        return Finding(UNCHECKED, "places", "The file has no points of an anchor and an answer.")
    at_anchor = [one for one in located if one["point"] in anchors]
    if places["direction"] is not None and at_anchor:
        return Finding(
            UNCHECKED,
            "direction",
            "The place given for the answer is that of the question.",
            "the answer has the coordinates of the place that the question names",
        )
    for name, check in CHECKS.items():
        if any(name in one for one in located):
            return _worst(name, [check(anchors[0], one) for one in located if name in one])
    if places["direction"] in DIRECTIONS:
        return _worst("direction", [_direction(anchors[0], one, places["direction"]) for one in located])
    return Finding(UNCHECKED, "nothing measured", "The files measure nothing between anchor and answer.")


def _worst(check: str, findings: Sequence[tuple[bool, str]]) -> Finding:
    wrong = [working for is_right, working in findings if not is_right]
    if wrong:
        return Finding(CONTRADICTS, check, wrong[0])
    return Finding(AGREES, check, findings[0][1])


def _measured(anchor: Point, answer: Answer) -> tuple[float, float]:
    """Metres, and the azimuth at the anchor."""
    lon, lat = answer["point"]
    forward, _, metres = _GEOD.inv(anchor[0], anchor[1], lon, lat)
    return float(metres), float(forward) % 360


def _distance(anchor: Point, answer: Answer) -> tuple[bool, str]:
    metres, _ = _measured(anchor, answer)
    told = answer["distance"]
    working = f"Between the points of anchor and answer it is {metres:,.2f} m. The key is {told:,.2f} m."
    return abs(told - metres) <= max(SAME_M, SAME_SHARE * metres), working


def _angle(anchor: Point, answer: Answer) -> tuple[bool, str]:
    metres, azimuth = _measured(anchor, answer)
    told = answer["angle"]
    working = f"From anchor to answer the azimuth is {azimuth:.2f}°. The key is {told:.2f}°."
    return abs((told - azimuth + 180) % 360 - 180) <= SAME_DEGREES or metres < SAME_M, working


def _direction(anchor: Point, answer: Answer, named: str) -> tuple[bool, str]:
    _, azimuth = _measured(anchor, answer)
    aside = abs((azimuth - DIRECTIONS[named] + 180) % 360 - 180)
    working = f"From anchor to answer the azimuth is {azimuth:.1f}°, {aside:.1f}° off {named}."
    return aside <= HALF_SECTOR + SAME_DEGREES, working


CHECKS: Mapping[str, Callable[[Point, Answer], tuple[bool, str]]] = {"distance": _distance, "angle": _angle}
"""By the number that the files give with an answer."""

CHECKERS.add("gsqa", "gsqa", check_key)
