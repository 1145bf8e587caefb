"""How numbers speak for hidden questions without telling the result of one: too few are left out, others are rounded.

Pure. What a number says of public questions stays exact: whoever has their gold can compute it anyway. Rounding hides a
hidden answer from who compares two boards that differ in it, but where it moves the sum over the middle of a step.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

LEAST_HIDDEN = 10
"""The fewest hidden questions that a number may speak for: of one, the difference of two numbers would tell."""
STEP = 5
"""What hidden questions come to is told in equal steps of so many questions, or a few more."""

G = TypeVar("G", bound=Hashable)
T = TypeVar("T")


class Group(NamedTuple, Generic[T]):
    """A group's items: those that its numbers count, and hidden ones that are too few for that."""

    counted: list[T]
    left_out: list[T]


def partition(
    items: Iterable[T], group_of: Callable[[T], G], hidden_of: Callable[[T], int]
) -> dict[G, Group[T]]:
    """The items by group, in their order; `hidden_of` is how many hidden questions an item stands for."""
    groups: dict[G, list[T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    small = left_out({name: sum(hidden_of(one) for one in of) for name, of in groups.items()})
    return {
        name: Group(
            [one for one in of if name not in small or not hidden_of(one)],
            [one for one in of if name in small and hidden_of(one)],
        )
        for name, of in groups.items()
    }


def left_out(hidden: Mapping[G, int], least: int = LEAST_HIDDEN) -> set[G]:
    """The groups, of a partition of the questions, that count their public questions alone.

    `hidden` is how many hidden questions each has. Those with fewer than `least` of them; and, where all of these have
    fewer than `least` together, so that the whole less the other groups would tell of them, the next smallest, too
    (primary and complementary suppression: Cox 1980). A whole is a partition of one group.
    """
    small: set[G] = {group for group, count in hidden.items() if 0 < count < least}
    if small and sum(hidden[group] for group in small) < least:
        others = [group for group, count in hidden.items() if count >= least]
        small.update(sorted(others, key=lambda group: (hidden[group], str(group)))[:1])
    return small


def in_steps(total: float, most: int, questions: int) -> int:
    """What hidden questions come to, 0 to `most`, as the nearest end of equal steps of STEP questions or a few more.

    `most` is what they could come to: as many as there are `questions`, at least STEP, or all predictions of them.
    """
    steps = questions // STEP
    return round(round(total * steps / most) * most / steps)


def widened(share: float, n: int) -> float:
    """The least share of `n` questions that is a whole number of STEPs, and not below `share`."""
    return math.ceil(share * n / STEP) * STEP / n


def shown_values(values: Sequence[float], hidden: Sequence[bool]) -> list[float]:
    """The questions' values with those of hidden ones, if any, replaced: as many 1 as their sum in steps, else 0.

    Means and intervals of these tell no more of hidden questions than that. Graded values come out as more scattered
    than they are, so intervals are never too narrow.
    """
    concealed = [value for value, is_hidden in zip(values, hidden, strict=True) if is_hidden]
    if not concealed:
        return list(values)
    ones = in_steps(math.fsum(concealed), len(concealed), len(concealed))
    public = [value for value, is_hidden in zip(values, hidden) if not is_hidden]
    return public + [1.0] * ones + [0.0] * (len(concealed) - ones)
