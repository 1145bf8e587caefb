"""From a bank to a selection: one question a group, so that parameter values vary (GS-QA, section on selection)."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from app.core import seeds

T = TypeVar("T")


def select_varied(
    bank: Sequence[T], wanted: int, parameters: Callable[[T], dict[str, Any]], seed: int
) -> list[T]:
    """At most `wanted` of the bank, in bank order.

    Groups by the first parameter, then the first two, and so on, until there are at least `wanted` groups;
    takes one a group in a seeded order of groups, and goes round again where there are fewer groups.
    """
    if len(bank) <= wanted:
        return list(bank)
    names = list(parameters(bank[0]))
    groups: dict[Any, list[int]] = {}
    for depth in range(1, len(names) + 1):
        groups = defaultdict(list)
        for position, item in enumerate(bank):
            groups[repr([parameters(item)[name] for name in names[:depth]])].append(position)
        if len(groups) >= wanted:
            break
    order = seeds.shuffled(sorted(groups), seed, "groups")
    chosen: list[int] = []
    turn = 0
    while len(chosen) < wanted:
        chosen += [groups[key][turn] for key in order if turn < len(groups[key])][: wanted - len(chosen)]
        turn += 1
    return [bank[position] for position in sorted(chosen)]
