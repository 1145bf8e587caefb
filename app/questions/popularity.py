"""How well known the objects are that a question names: whether they have a Wikidata tag, and how many tags. Pure.

Reports and fresh twins group questions by it. A question that names several objects is as well known as the least known
of them.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from statistics import quantiles
from typing import Any

Popularity = Sequence[Mapping[str, Any]]
"""As questions store it: {wikidata, tags} of each object that the text names."""
Group = tuple[bool, int]
"""Whether all objects have a Wikidata tag, and the quarter of the fewest tags, from 0 on."""


def fewest_tags(popularity: Popularity) -> int:
    """The number of tags of the object that has the fewest."""
    return min(int(one["tags"]) for one in popularity)


def quarter_bounds(counts: Sequence[int]) -> list[float]:
    """The three quartiles of the counts (the inclusive method); none where there are fewer than two counts."""
    return quantiles(counts, n=4, method="inclusive") if len(counts) > 1 else []


def quarter_of(bounds: Sequence[float], count: int) -> int:
    """The quarter in which a count lies, from 0 on; equal counts are in one."""
    return bisect_left(bounds, count)


def bounds_of(asked: Iterable[Popularity | None]) -> list[float]:
    """The quartiles of the tags of these questions; those that name no object do not count."""
    return quarter_bounds([fewest_tags(one) for one in asked if one])


def group_of(popularity: Popularity | None, bounds: Sequence[float]) -> Group | None:
    """The group of a question; None where its text names no object."""
    if not popularity:
        return None
    return all(one["wikidata"] for one in popularity), quarter_of(bounds, fewest_tags(popularity))
