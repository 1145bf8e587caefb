"""Which kind of place fits a scene: the street, the area around, and the kinds of the nearest places."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from tests.readers.knowledge_map import Feature, MapFile, plain
from tests.readers.knowledge_text import SCENE, Asked, Unclear
from tests.readers.knowledge_words import kinds

WITHIN = 200.0
"""Metres around a place that the texts speak of."""


def likeliest(asked: Asked, options: Sequence[str], world: MapFile) -> int:
    """The index of the kind of the place around which the map looks most like the scene. Raises Unclear for a tie."""
    told = SCENE.search(asked.text)
    assert told
    scene = [plain(part) for part in told[1].split(", ")]
    fits = [
        max((_likeness(scene, place, asked, world) for place in _of_kind(world, one)), default=0.0)
        for one in options
    ]
    if fits.count(max(fits)) > 1:
        raise Unclear(f"several kinds fit the scene: {fits}")
    return fits.index(max(fits))


def _of_kind(world: MapFile, kind: str) -> list[Feature]:
    return [place for place in world.places if plain(kind) in kinds(place.tags)]


def _likeness(scene: Sequence[str], place: Feature, asked: Asked, world: MapFile) -> float:
    """From 0 to 1: how much of the scene is around a place, in its order; less where its street is another."""
    around = _kinds_around(world, place)
    same = SequenceMatcher(None, scene, around[: len(scene)], autojunk=False).ratio()
    return same * (1.0 if _is_there(place, asked, world) else 0.5)


@cache
def _kinds_around(world: MapFile, place: Feature) -> list[str]:
    return [next(kinds(one.tags)) for one in world.places_around(place.point, WITHIN) if one is not place]


def _is_there(place: Feature, asked: Asked, world: MapFile) -> bool:
    street = world.street_at(place)
    return not street or any(mention.name == street for mention in asked.mentions) or street in asked.text
