"""Rules of Distance (DS) and Direction (DR)."""

import re
from collections.abc import Callable, Mapping, Sequence

from app.benchmarks.urban_reasoning.steps.checking import builds
from app.benchmarks.urban_reasoning.steps.context_text import Place, places_in
from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Rules
from app.benchmarks.urban_reasoning.steps.two_places import direction_graph, distance_graph
from app.benchmarks.urban_reasoning.steps.two_places_words import FAMILIES, announced_by, names_of
from app.benchmarks.urban_reasoning.truth.sphere import wind_of
from app.scores.reading.compass import SECTORS, Point, points_in
from app.scores.reading.mentions import answer_section
from app.scores.reasoning import BLIND, RIGHT, WRONG, Step

INPUTS = frozenset(f"{axis}{place}_deg" for axis in ("lat", "lon") for place in (1, 2))
PAIRS = [(f"lat{place}_{unit}", f"lon{place}_{unit}") for place in (1, 2) for unit in ("deg", "rad")]
LEAST_NAME = 4
"""Letters that a part of a place's name has at least that stands for the place."""


@builds("DS")
def distance_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """A text may begin with either place."""
    one, other = _ends(context, question)
    return [_rules("DS", one, other, swapped, distance_graph(one, other)) for swapped in (False, True)]


@builds("DR")
def direction_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """A text may give either place the first letter; the bearing is that from the origin."""
    one, other = _ends(context, question)
    return [_rules("DR", one, other, swapped, direction_graph(one, other)) for swapped in (False, True)]


def _rules(task: str, one: Place, other: Place, swapped: bool, graph: Graph) -> Rules:
    aliases = _aliases(one.name, other.name, swapped)
    return Rules(
        graph,
        names_of(task, swapped, {}),
        announced_by(task, swapped, aliases),
        _no_claims if task == "DS" else _direction_claim(graph),
        INPUTS,
        FAMILIES,
        PAIRS,
    )


def _ends(context: str, question: str) -> tuple[Place, Place]:
    """Origin and destination: as the question tells them, else in the order of the context."""
    places = places_in(context)
    if len(places) < 2:
        raise ValueError("the context has to give two places with coordinates")
    asked = [place for place in places if place.name in question] or places
    one, other = (asked if len(asked) >= 2 else places)[:2]
    told = re.escape(other.name)
    turned = re.search(
        rf"\bfrom {told}(?!\w)|\bat {told} looks|\b{told} (?:to|towards) {re.escape(one.name)}", question
    )
    straight = re.search(rf"\bfrom {re.escape(one.name)}(?!\w)", question)
    return (other, one) if turned and not straight else (one, other)


def _aliases(one: str, other: str, swapped: bool) -> Mapping[str, str]:
    """What a text may call the places, longer names first, and their numbers."""
    numbers = ("2", "1") if swapped else ("1", "2")
    found = {one: numbers[0], other: numbers[1]}
    words = [_words(one), _words(other)]
    for number, own, others in ((numbers[0], words[0], words[1]), (numbers[1], words[1], words[0])):
        found.update({word: number for word in own if word not in others and len(word) >= LEAST_NAME})
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def _words(name: str) -> list[str]:
    words = name.split()
    return [words[0], words[-1]] if len(words) > 1 else []


def _no_claims(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
    return []


def _direction_claim(graph: Graph) -> Callable[[Plain, str, Sequence[Step]], Sequence[Step]]:
    def claim(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
        """The direction that the response names in the end, by the bearing that it states."""
        told = graph.stated.get("bearing") or graph.stated.get("theta_deg")
        bearing = told[-1].value % 360 if told else graph.exact("bearing")
        section = answer_section(response)
        at = response.rfind(section)
        mentions = [Point(one.azimuth, one.start + at, one.end + at) for one in points_in(section)]
        if not mentions or bearing is None:
            return []
        named, expected = _wind(mentions[-1].azimuth), wind_of(bearing)
        if named == expected:
            return [Step("direction", named, expected, mentions[-1].start, RIGHT)]
        first = next(
            (one for one in points_in(response) if one.azimuth == mentions[-1].azimuth), mentions[-1]
        )
        return [Step("direction", named, expected, first.start, WRONG, BLIND)]

    return claim


def _wind(azimuth: float) -> str:
    return next(name.upper() for name, middle in SECTORS.items() if middle == azimuth)
