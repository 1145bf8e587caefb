"""Which cells of a report leave their hidden questions out, so that no hidden question's result can be told. Pure."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

LEAST_HIDDEN = 10
"""The fewest hidden questions that a number may speak for: of one, the difference of two numbers would tell."""

G = TypeVar("G", bound=Hashable)


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
