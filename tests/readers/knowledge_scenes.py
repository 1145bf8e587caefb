"""Which kind of place fits a scene: the street, the area around, and the kinds of the nearest places."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from tests.readers.knowledge_map import Feature, MapFile, plain
from tests.readers.knowledge_nouns import nouns
from tests.readers.knowledge_text import SCENE, Asked, Unclear

WITHIN = 200.0
"""Metres around a place that the texts speak of."""


def likeliest(asked: Asked, options: Sequence[str], world: MapFile) -> int:
    """The index of the kind of the place around which the map looks most like the scene. Raises Unclear for a tie."""
    told = SCENE.search(asked.text)
    assert told
    scene = Counter(dict(_parts(told[1])))
    fits = [
        max((_likeness(scene, place, asked, world) for place in _of_kind(world, one)), default=0.0)
        for one in options
    ]
    if fits.count(max(fits)) > 1:
        raise Unclear(f"several kinds fit the scene: {fits}")
    return fits.index(max(fits))


def _of_kind(world: MapFile, kind: str) -> list[Feature]:
    return [place for place in world.places if plain(kind) in nouns(place.tags)]


def _parts(told: str) -> Iterator[tuple[str, int]]:
    """The kinds of "a bank, 2 car parks and a school", and how many there are of each."""
    for number, kind in re.findall(r"\b(an?|\d+) (.+?)(?=, | and (?:an?|\d+) |$)", told):
        yield kind, int(number) if number.isdigit() else 1


def _likeness(scene: Counter[str], place: Feature, asked: Asked, world: MapFile) -> float:
    """From 0 to 1: how much of the scene is around a place; less where its street is another."""
    left = scene.copy()
    for told in _nouns_around(world, place)[: scene.total()]:
        left -= Counter([kind for kind in left if any(_is_called(kind, noun) for noun in told)][:1])
    return (1 - left.total() / scene.total()) * (1.0 if _is_there(place, asked, world) else 0.5)


def _is_called(kind: str, noun: str) -> bool:
    """Whether a kind is a noun, or its plural."""
    return kind == noun or (
        len(noun) > 3 and kind.endswith("s") and kind.startswith(noun[:-1]) and len(kind) < len(noun) + 4
    )


@cache
def _nouns_around(world: MapFile, place: Feature) -> list[list[str]]:
    return [list(nouns(one.tags)) for one in world.places_around(place.point, WITHIN) if one is not place]


def _is_there(place: Feature, asked: Asked, world: MapFile) -> bool:
    street = world.street_at(place)
    return not street or any(mention.name == street for mention in asked.mentions) or street in asked.text
