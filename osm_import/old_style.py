"""Import stage: multipolygons of the old style, whose tags stand on their outer ways. Pure; no geometry.

Until 2017 a multipolygon without tags of its own was what its outer ways said, and the ways were nothing by themselves:
a wood's outer way is tagged, and the clearing is the inner one. Where the outer ways do not agree on what they are, or
the relation is not whole, ways are taken by themselves, and kept out of gold: nobody knows what is cut out of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from osm_import.relations import DESCRIPTIVE


class OldRelation(NamedTuple):
    """A multipolygon without tags of its own."""

    osm_id: int
    version: int
    tags: dict[str, str]
    outer: Sequence[int]
    inner: Sequence[int]
    wkb: str | None
    """Its area in hexadecimal WKB; None where its ways make none."""


class Joined(NamedTuple):
    """A multipolygon that is what its outer ways say."""

    relation: OldRelation
    tags: dict[str, str]
    certain: bool
    """Whether all outer ways say the same; else some of them say nothing."""
    ways: frozenset[int]
    """Ways that are no objects by themselves any more."""


def join(relations: Sequence[OldRelation], tags_of: Mapping[int, Mapping[str, str]]) -> list[Joined]:
    """The relations that are what their outer ways say; `tags_of` are tags of ways that a layer may want."""
    uses = Counter(way_id for one in relations for way_id in set(one.outer))
    joined = []
    for one in relations:
        told = [tags_of[way_id] for way_id in one.outer if way_id in tags_of]
        common = _merge(told)
        if one.wkb is None or not common or any(uses[way_id] > 1 for way_id in one.outer):
            continue
        certain = len(told) == len(one.outer) and all(_deciding(tags) == _deciding(told[0]) for tags in told)
        # An inner way that says the same as the outer ones marks the hole, not a thing in it.
        inner = {way_id for way_id in one.inner if _deciding(tags_of.get(way_id, {})) == _deciding(common)}
        ways = frozenset({*one.outer, *inner})
        joined.append(Joined(one, {**common, **one.tags}, certain, ways))
    return joined


def _merge(told: Sequence[Mapping[str, str]]) -> dict[str, str] | None:
    """All tags together; None where two ways contradict each other in what they are or are called."""
    together: dict[str, str] = {}
    for tags in told:
        for key, value in tags.items():
            if together.setdefault(key, value) != value and (key == "name" or not _is_descriptive(key)):
                return None
    return together


def _deciding(tags: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in tags.items() if key == "name" or not _is_descriptive(key)}


def _is_descriptive(key: str) -> bool:
    return key.partition(":")[0].lower() in DESCRIPTIVE
