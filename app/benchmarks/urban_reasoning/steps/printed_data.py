"""What the prompts of Relation, Navigation and Recommendation print: shapes, segments, offers. Points in degrees.

A prompt is the context, in words or JSON, and the question below it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.benchmarks.urban_reasoning.truth.sphere import Point

POINT = re.compile(r"\((-?\d{1,3}\.\d{1,8}), ?(-?\d{1,3}\.\d{1,8})\)")
_SHAPE = re.compile(r"(?m)^(?P<kind>Road|Area) (?P<name>.{1,300}): (?P<points>\(-?\d.{1,2000}\))$")
_SEGMENT = re.compile(r"(?m)^- (?P<name>.{1,300}): (?P<one>\([^()]{1,60}\)) → (?P<other>\([^()]{1,60}\))$")
_OFFER = re.compile(
    r"(?m)^Option: (?P<name>.{1,300}) (?P<coordinates>\(-?[\d.]{1,20}, -?[\d.]{1,20}\)); [a-z ]{1,60}"
    r"(?:; cuisine: (?P<cuisine>.{1,300}))?; open: (?P<opening_hours>.{1,600}); synthetic review: "
    r"(?P<synthetic_review>.{1,600})$"
)


class Shape(NamedTuple):
    """A road, or an area by its boundary, whose last point leads back to the first."""

    kind: str
    name: str
    points: Sequence[Point]


class Network(NamedTuple):
    """Segments by their names with both ends, and where the way begins and ends."""

    segments: Mapping[str, tuple[Point, Point]]
    start: Point
    goal: Point


class Offered(NamedTuple):
    """A place that is offered, with the words of its line."""

    name: str
    at: Point
    hours: str
    cuisine: str
    review: str


class Offers(NamedTuple):
    """Where somebody is (one point) or walks, and the places that are offered."""

    walk: Sequence[Point]
    places: Sequence[Offered]


def points_in(text: str) -> list[Point]:
    """All points that a text prints."""
    return [Point(float(lat), float(lon)) for lat, lon in POINT.findall(text)]


def shapes_in(prompt: str) -> list[Shape]:
    """The two shapes of a question about a relation. Raises ValueError where there are not two."""
    told = _document(prompt).get("shapes")
    written: Iterator[tuple[str, str, str]]
    if told is not None:
        written = ((one["kind"], one["name"], " ".join(one["points"])) for one in told)
    else:
        written = ((one["kind"].lower(), one["name"], one["points"]) for one in _SHAPE.finditer(prompt))
    found = [Shape(kind, name, _opened(kind, points_in(points))) for kind, name, points in written]
    if len(found) != 2 or any(len(one.points) < 2 for one in found):
        raise ValueError("the prompt does not print two shapes")
    return found


def _opened(kind: str, points: list[Point]) -> list[Point]:
    """A boundary without the point that closes it."""
    return points[:-1] if kind == "area" and points[0] == points[-1] else points


def network_in(prompt: str) -> Network:
    """The segments of a question about a way. Raises ValueError where start, goal or segments are missing."""
    told = _document(prompt)
    if told:
        ends = [told.get("start", ""), told.get("goal", "")]
        written = [(one["name"], one["from"], one["to"]) for one in told.get("segments", ())]
    else:
        ends = re.findall(r"(?m)^(?:Start|Goal): (.{1,80})$", prompt)
        written = [(one["name"], one["one"], one["other"]) for one in _SEGMENT.finditer(prompt)]
    reached = points_in(" ".join(ends))
    segments = {name: (*points_in(one), *points_in(other)) for name, one, other in written}
    if len(reached) != 2 or not segments or any(len(one) != 2 for one in segments.values()):
        raise ValueError("the prompt does not print segments, a start and a goal")
    return Network({name: (one[0], one[1]) for name, one in segments.items()}, *reached)


def offers_in(prompt: str) -> Offers:
    """The places of a recommendation. Raises ValueError where there are none."""
    told = _document(prompt)
    if told:
        walk = (told.get("walk") or told.get("position") or {}).get("points", ())
        lines: Sequence[Mapping[str, Any]] = told.get("options", ())
    else:
        walk = re.findall(r"(?m)^(?:Walk|Position): (.{1,400})$", prompt)
        lines = [one.groupdict() for one in _OFFER.finditer(prompt)]
    places = [
        Offered(
            one["name"],
            points_in(one["coordinates"])[0],
            one["opening_hours"],
            one.get("cuisine") or "",
            one["synthetic_review"],
        )
        for one in lines
    ]
    points = points_in(" ".join(walk))
    if not places or not points:
        raise ValueError("the prompt does not print places and where somebody is")
    return Offers(points, places)


def _document(prompt: str) -> Mapping[str, Any]:
    """The JSON of a prompt; nothing where its data is in words."""
    start = prompt.find("{")
    if start < 0 or prompt[:start].rpartition("\n")[2].strip():
        return {}
    try:
        told, _ = json.JSONDecoder().raw_decode(prompt[start:])
    except ValueError:
        return {}
    return told if isinstance(told, Mapping) else {}
