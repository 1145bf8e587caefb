"""Writes the context of a question: all that it gives, in words, or as JSON by the paper's schema, as the id draws."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.benchmarks.urban_reasoning.printing import DECIMAL, print_point
from app.core import seeds
from app.questions.contexts import AskedFor, Context, NoContext, writes_contexts

TITLE = "Data"
ORDER = "latitude, then longitude."
"""How a first line ends that says in which order coordinates are printed."""
Document = Mapping[str, Any]
Telling = Callable[[AskedFor], tuple[Document, Sequence[str], Mapping[str, Any]]]
"""What a context tells as a document and in lines of words, and what the question asks about."""
_TELLING: dict[str, Telling] = {}
"""By the id of a template."""


def tells(*templates: str) -> Callable[[Telling], Telling]:
    """Register the decorated function as what the contexts of these templates' questions tell."""

    def register(function: Telling) -> Telling:
        _TELLING.update(dict.fromkeys(templates, function))
        return function

    return register


@writes_contexts("urban_reasoning")
def write_context(asked: AskedFor) -> Context:
    """The context of a question, whose answer needs all of it. Raises NoContext for a template that tells nothing."""
    if asked.template not in _TELLING:
        raise NoContext("no_context")
    document, lines, asks = _TELLING[asked.template](asked)
    if seeds.below(2, asked.seed, "form of the context", asked.id):
        note = {"note": lines[0]} if lines[0].endswith(ORDER) else {}
        lines = json.dumps({**note, **document}, ensure_ascii=False, indent=2).split("\n")
    return Context(TITLE, lines, range(len(lines)), asks)


@tells("Distance", "Direction")
def two_places(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """Both places with their coordinates."""
    named = [(" ".join(name.split()), text) for name, text in asked.gold["printed"]]
    document = {"places": [{"name": name, "coordinates": text} for name, text in named]}
    lines = ["Coordinates are latitude, then longitude.", *(f"- {name}: {text}" for name, text in named)]
    return document, lines, dict(zip(("origin", "destination"), (name for name, _ in named), strict=True))


@tells("Visiting_Order")
def legs(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """The legs from the start to each next place."""
    told = [[" ".join(part.split()) for part in leg] for leg in asked.gold["printed"]]
    document = {
        "legs": [
            {
                "from": start,
                "to": end,
                "bearing_degrees": bearing,
                "direction": wind,
                "distance_km": kilometres,
            }
            for start, end, bearing, wind, kilometres in told
        ]
    }
    lines = [
        f"- From {start} to {end}: {bearing} degrees ({wind}), {kilometres} km"
        for start, end, bearing, wind, kilometres in told
    ]
    return document, lines, {"places": [told[0][0], *(leg[1] for leg in told)]}


@tells("Destination")
def way_and_candidates(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """The legs so far, and the candidates by their names."""
    way, candidates = (
        [(" ".join(name.split()), text) for name, text in asked.gold[part]] for part in ("way", "candidates")
    )
    legs = list(pairwise(way))
    document = {
        "legs": [
            {
                "from": {"name": one[0], "coordinates": one[1]},
                "to": {"name": other[0], "coordinates": other[1]},
            }
            for one, other in legs
        ],
        "candidates": [{"name": name, "coordinates": text} for name, text in candidates],
    }
    lines = [
        "Coordinates are latitude, then longitude.",
        *(
            f"Leg {number}: {' '.join(one)} to {' '.join(other)}"
            for number, (one, other) in enumerate(legs, 1)
        ),
        *(f"Candidate: {name} {text}" for name, text in candidates),
    ]
    return document, lines, {"way": [name for name, _ in way]}


@tells("Shortest_Way")
def segments(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """The segments by their names, start and goal."""
    start, goal = (_point(asked.gold[end]) for end in ("start", "goal"))
    named = {
        name: (" ".join(name.split()), *map(_point, ends)) for name, ends in asked.gold["segments"].items()
    }
    document = {
        "start": start,
        "goal": goal,
        "segments": [{"name": name, "from": one, "to": other} for name, one, other in named.values()],
    }
    lines = [
        "Points are latitude, then longitude.",
        f"Start: {start}",
        f"Goal: {goal}",
        *(f"- {name}: {one} → {other}" for name, one, other in named.values()),
    ]
    return document, lines, {"names": {shown: name for name, (shown, *_) in named.items()}}


def _point(told: Sequence[float]) -> str:
    """A point (lat, lon) as contexts print it."""
    return print_point(told[1], told[0], DECIMAL).text


@tells("Relation_Of_Roads")
def two_roads(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """Five points of each road."""
    return _shapes(asked, ("road", "road"))


@tells("Relation_Of_Road_And_Area")
def road_and_area(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """The points of a road, and of the boundary of an area."""
    return _shapes(asked, ("road", "area"))


@tells("Relation_Of_Areas")
def two_areas(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """The points of two boundaries."""
    return _shapes(asked, ("area", "area"))


def _shapes(asked: AskedFor, kinds: Sequence[str]) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """Two shapes by their points. Boundaries tell their first point again as their last in every second question."""
    closed = bool(seeds.below(2, asked.seed, "closed boundaries", asked.id))
    shapes: list[dict[str, Any]] = [
        {
            "kind": kind,
            "name": " ".join(name.split()),
            "points": [*points, *(points[:1] if closed and kind == "area" else [])],
        }
        for kind, (name, points) in zip(kinds, asked.gold["printed"], strict=True)
    ]
    lines = [
        "Points are latitude, then longitude.",
        *(f"{one['kind'].capitalize()} {one['name']}: {', '.join(one['points'])}" for one in shapes),
    ]
    return {"shapes": shapes}, lines, {"kinds": list(kinds), "names": [one["name"] for one in shapes]}


@tells("Recommendation_Near", "Recommendation_On_Walk")
def offers(asked: AskedFor) -> tuple[Document, Sequence[str], Mapping[str, Any]]:
    """Where somebody is, or walks, and the places with their hours and reviews."""
    parts = ("name", "coordinates", "kind", "opening_hours", "cuisine", "synthetic_review")
    name, points = asked.gold["start"]
    places = [
        {part: " ".join(told.split()) for part, told in zip(parts, one, strict=True) if told}
        for one in asked.gold["offered"]
    ]
    walked = len(points) > 1
    document = {
        "walk" if walked else "position": {"name": " ".join(name.split()), "points": points},
        "options": places,
    }
    lines = [
        "Points are latitude, then longitude.",
        f"{'Walk' if walked else 'Position'}: {' → '.join(points)}",
        *(_told_of(place) for place in places),
    ]
    wishes = {part: asked.parameters[part] for part in ("wish", "moment", "reach")}
    return document, lines, {**wishes, "names": [place["name"] for place in places]}


def _told_of(place: Mapping[str, str]) -> str:
    cuisine = f"; cuisine: {place['cuisine']}" if "cuisine" in place else ""
    return (
        f"Option: {place['name']} {place['coordinates']}; {place['kind']}{cuisine}; open: {place['opening_hours']}; "
        f"synthetic review: {place['synthetic_review']}"
    )
