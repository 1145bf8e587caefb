"""How numbers speak for hidden questions without telling the result of one: in the whole alone, and by one stepped sum.

Pure. What a number says of public questions stays exact: whoever has their gold can compute it anyway. Whatever is told
of hidden questions is a function of `in_steps` of the sum of their values, or of what does not hang on their gold: a
number that reads their values otherwise tells more of them, however it is rounded afterwards.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

LEAST_HIDDEN = 10
"""The fewest hidden questions that a number may speak for: of one, the difference of two numbers would tell."""
STEP = 5
"""What hidden questions come to is told in equal steps of so many questions, or a few more."""

G = TypeVar("G", bound=Hashable)
T = TypeVar("T")


class Group(NamedTuple, Generic[T]):
    """A group's items: those that its numbers count, and hidden ones that they do not."""

    counted: list[T]
    left_out: list[T]


class Told(NamedTuple):
    """What is told of two runs over `n` questions, some hidden: their difference, and how far that may be off."""

    n: int
    difference: float
    off: float


def whole(items: Iterable[T], hidden_of: Callable[[T], int]) -> Group[T]:
    """All items as one group, which counts hidden ones unless they are fewer than `LEAST_HIDDEN`.

    `hidden_of` is how many hidden questions an item stands for.
    """
    found = list(items)
    if sum(hidden_of(one) for one in found) >= LEAST_HIDDEN:
        return Group(found, [])
    return _public(found, hidden_of)


def partition(
    items: Iterable[T], group_of: Callable[[T], G], hidden_of: Callable[[T], int]
) -> dict[G, Group[T]]:
    """The items by group, in their order; groups count public ones alone.

    One number a group would tell far more than one of the whole: a sum over few questions says more of each, and the
    groups of several kinds cross one another.
    """
    groups: dict[G, list[T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    return {name: _public(of, hidden_of) for name, of in groups.items()}


def _public(items: Sequence[T], hidden_of: Callable[[T], int]) -> Group[T]:
    return Group([one for one in items if not hidden_of(one)], [one for one in items if hidden_of(one)])


def steps_of(questions: int) -> int:
    """In how many steps so many hidden questions are told."""
    return max(1, questions // STEP)


def in_steps(total: float, questions: int) -> int:
    """What hidden questions come to, 0 to `questions`, as the nearest end of equal steps of STEP or a few more."""
    steps = steps_of(questions)
    return round(round(total * steps / questions) * questions / steps)


def step_width(questions: int) -> float:
    """The most by which the difference of two sums that are told in steps can be off: of one, half as much."""
    return questions / steps_of(questions)


def step_of_mean(hidden: int, questions: int) -> float | None:
    """The step, in shares of 1, of a mean over so many questions, `hidden` of them hidden; None where none is."""
    return step_width(hidden) / questions if hidden and questions else None


def told_sum(values: Sequence[float], hidden: Sequence[bool]) -> int:
    """What the hidden ones of the questions' values come to, in steps; 0 where there are none."""
    concealed = [value for value, is_hidden in zip(values, hidden, strict=True) if is_hidden]
    return in_steps(math.fsum(concealed), len(concealed)) if concealed else 0


def shown_values(values: Sequence[float], hidden: Sequence[bool]) -> list[float]:
    """The questions' values with those of hidden ones, if any, replaced: as many 1 as their sum in steps, else 0.

    Means and intervals of these tell no more of hidden questions than that. Graded values come out as more scattered
    than they are, so intervals are never too narrow.
    """
    ones = told_sum(values, hidden)
    zeros = sum(hidden) - ones
    public = [value for value, is_hidden in zip(values, hidden) if not is_hidden]
    return public + [1.0] * ones + [0.0] * zeros
