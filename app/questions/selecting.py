"""From a bank to a selection, so that parameter values vary (GS-QA, section on selection).

The paper takes one question a group of equal values. Here the first value is spread evenly, within each the second,
and so on: no value, such as one filter, can make up more of a selection than its share while others have any left.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

from app.core import seeds

T = TypeVar("T")


def select_varied(
    bank: Sequence[T], wanted: int, parameters: Callable[[T], dict[str, Any]], seed: int
) -> list[T]:
    """At most `wanted` of the bank, in bank order; which, the seed decides."""
    if len(bank) <= wanted:
        return list(bank)
    values = [[repr(value) for value in parameters(item).values()] for item in bank]
    order = _interleaved(list(range(len(bank))), values, 0, seed)
    return [bank[position] for position in sorted(order[:wanted])]


def _interleaved(positions: list[int], values: Sequence[Sequence[str]], depth: int, seed: int) -> list[int]:
    """One position of each value in turn, again and again; those of one value by the next value, likewise."""
    if len(positions) == 1 or depth == len(values[positions[0]]):
        return positions
    groups: dict[str, list[int]] = defaultdict(list)
    for position in positions:
        groups[values[position][depth]].append(position)
    order = seeds.shuffled(sorted(groups), seed, "groups", values[positions[0]][:depth])
    turns = zip_longest(*(_interleaved(groups[key], values, depth + 1, seed) for key in order))
    return [position for turn in turns for position in turn if position is not None]
