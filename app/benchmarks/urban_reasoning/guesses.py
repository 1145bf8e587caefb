"""Guesses at questions without options: what a prompt allows as an answer, read from its context alone."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from app.questions.prompts import StoredPrompt, context_of
from app.solvers.guesses import guesses

FARTHEST_KM = 20
"""A guess at a distance is at most this, the longest leg that Visiting_Order asks about."""
TERMS = {
    "Relation_Of_Roads": ("Intersecting", "Parallel", "Disconnected"),
    "Relation_Of_Road_And_Area": ("Pass through", "Touch", "Lie outside"),
    "Relation_Of_Areas": ("Overlapping", "Adjacent", "Separate"),
}
_LEG = re.compile(r"- From (?P<ends>.*): \d+\.\d\d degrees \([NESW]+\), \d+\.\d\d km")
_SEGMENT = re.compile(r"- (?P<name>.*): (?P<one>\([^()]*\)) → (?P<other>\([^()]*\))")
Ends = tuple[str, str]


def _says_term(terms: Sequence[str]) -> Callable[[StoredPrompt], Sequence[str]]:
    return lambda prompt: terms


for _template, _terms in TERMS.items():
    guesses("urban_reasoning", _template)(_says_term(_terms))


@guesses("urban_reasoning", "Distance")
def hundredths_of_the_farthest(prompt: StoredPrompt) -> Sequence[str]:
    """1 … 100 % of the farthest distance that may be guessed."""
    return [f"{FARTHEST_KM * percent / 100:.2f} km" for percent in range(1, 101)]


@guesses("urban_reasoning", "Visiting_Order")
def orders_from_the_start(prompt: StoredPrompt) -> Sequence[str]:
    """Every order of the places that begins where the first leg begins."""
    start, *others = _places_in(_context(prompt))
    return ["->".join((start, *order)) for order in permutations(others)]


@guesses("urban_reasoning", "Shortest_Way")
def ways_from_the_start(prompt: StoredPrompt) -> Sequence[str]:
    """Every row of segments that joins, from the start on, whether it leads to the goal or not."""
    start, segments = _network_in(_context(prompt))
    return [", then ".join(way) for way in _ways(segments, start)]


def _context(prompt: StoredPrompt) -> str:
    text = context_of(prompt)
    if text is None:
        raise ValueError("a question of the Reasoning Module has one context")
    return text


def _places_in(text: str) -> Sequence[str]:
    """The places of a tour in the order in which the legs tell them."""
    if text.startswith("{"):
        legs = json.loads(text)["legs"]
        return [legs[0]["from"], *(leg["to"] for leg in legs)]
    told = [found["ends"] for line in text.split("\n") if (found := _LEG.fullmatch(line))]
    return next(chain for first in _splits(told[0]) for chain in _chains(told[1:], list(first)))


def _chains(told: Sequence[str], places: list[str]) -> Iterator[list[str]]:
    """The places, continued by legs each of which starts where the one before ends. A name may have the word "to"."""
    if not told:
        yield places
        return
    for start, end in _splits(told[0]):
        if start == places[-1]:
            yield from _chains(told[1:], [*places, end])


def _splits(ends: str) -> list[Ends]:
    return [(ends[: at.start()], ends[at.end() :]) for at in re.finditer(r"(?<=\S) to (?=\S)", ends)]


def _network_in(text: str) -> tuple[str, dict[str, Ends]]:
    """The start, and both ends of each segment by its name; points as they are printed."""
    if text.startswith("{"):
        told = json.loads(text)
        return told["start"], {one["name"]: (one["from"], one["to"]) for one in told["segments"]}
    lines = text.split("\n")
    (start,) = (line.removeprefix("Start: ") for line in lines if line.startswith("Start: "))
    found = [match for line in lines if (match := _SEGMENT.fullmatch(line))]
    return start, {one["name"]: (one["one"], one["other"]) for one in found}


def _ways(segments: dict[str, Ends], at: str) -> Iterator[list[str]]:
    for name, ends in segments.items():
        if at in ends:
            rest = {other: points for other, points in segments.items() if other != name}
            yield [name]
            yield from ([name, *way] for way in _ways(rest, ends[0] if at == ends[1] else ends[1]))
