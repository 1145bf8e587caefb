"""Numbers around the key's of which each is about equally often the key. Pure but for the draws."""

from collections.abc import Sequence

import numpy as np

from app.core import seeds
from app.core.seeds import Seed

STEP, SPAN = 1.16, 1.6
"""Each number is at least so many times the one below it, and the greatest at most so many times the least."""
ALIKE = 1.1
"""Numbers of a map that are up to so many times larger or smaller count as the same when their frequency is told."""


def draw_ladder(seed: Seed, question_id: str, number: float, count: int) -> list[float]:
    """So many other numbers: the steps from number to number are drawn, and which of them the given one is."""
    rank = seeds.below(count + 1, seed, "rank", question_id, number)
    shares = [seeds.unit(seed, "step", question_id, number, step) for step in range(count + 1)]
    room = SPAN / STEP**count
    ladder = [1.0]
    for share in shares[:count]:
        ladder.append(ladder[-1] * STEP * room ** (share / sum(shares)))
    return [number * one / ladder[rank] for place, one in enumerate(ladder) if place != rank]


class Frequencies:
    """How frequent numbers of about a size are among those that a map gives."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self._logs = np.sort(np.log([one for one in numbers if one > 0]))

    def of(self, number: float) -> int:
        """How many of the map's numbers are about as large."""
        low, high = np.log(number) - np.log(ALIKE), np.log(number) + np.log(ALIKE)
        return int(np.searchsorted(self._logs, high, "right") - np.searchsorted(self._logs, low))

    def is_common(self, seed: Seed, question_id: str, key: float, wrong: Sequence[float]) -> bool:
        """Whether a question is given up: the more often, the more frequent its key is than its rarest option.

        So each option of a ladder is equally often the key, though a map has more numbers of one size than of another.
        """
        share = seeds.unit(seed, "kept", question_id)
        return share * self.of(key) >= min(map(self.of, [key, *wrong]))
