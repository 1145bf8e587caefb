"""The other pairs of a question for the closest or the farthest pair, which cannot be told by where places mostly are.

A place at the edge of a map is far from most others: a pair with it is often the farthest. Pairs are ranked by how far
their places are from others on average, and questions are given up so that the key has each rank equally often.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from app.benchmarks.mapeval.distractors.plane import Plane
from app.core import seeds
from app.questions.alike import COMMON
from app.questions.distractors import Others
from app.questions.strategies import Distractor, QuestionToFill, Sources, strategy

SAMPLE = 500
SETS = 4000
PAIRS = 4


class _OtherPairs(Others):
    offers_places = False
    extreme: ClassVar[Callable[..., Any]]
    """Gives the position of the key among distances."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        picks = sources.choices["places"]
        plane = Plane(picks)
        points = plane.points_of(picks)
        some = plane.points_of(seeds.shuffled(picks, sources.seed, "sample")[:SAMPLE])
        apart = np.hypot(*(points[:, None, axis] - some[None, :, axis] for axis in (0, 1)))
        means = apart.mean(axis=1)
        self._means = {str(pick.value): float(means[number]) for number, pick in enumerate(picks)}
        drawn = np.array(
            [
                [seeds.below(len(picks), sources.seed, "sets", turn, place) for place in range(2 * PAIRS)]
                for turn in range(SETS)
            ]
        ).reshape(SETS, PAIRS, 2)
        ends = points[drawn]
        keys = type(self).extreme(np.hypot(*np.moveaxis(ends[:, :, 0] - ends[:, :, 1], -1, 0)), axis=1)
        ranks = means[drawn].sum(axis=2).argsort(axis=1).argsort(axis=1)
        self._counts = np.bincount(ranks[np.arange(SETS), keys], minlength=PAIRS)

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other pairs, whatever `count` is."""
        places = [str(pick.value) for pick in question.picked.picks["places"]]
        sums = [
            self._means[one] + self._means[other]
            for one, other in zip(places[::2], places[1::2], strict=True)
        ]
        key = places[::2].index(question.gold["objects"][0])
        rank = sum(one < sums[key] for one in sums)
        share = seeds.unit(self.sources.seed, "kept", question.id)
        if share * self._counts[rank] >= self._counts.min():
            return COMMON
        return super().draw(question, count)


@strategy("mapeval", "farther_pairs")
class FartherPairs(_OtherPairs):
    """Those that are farther apart than the closest pair."""

    extreme = np.argmin


@strategy("mapeval", "closer_pairs")
class CloserPairs(_OtherPairs):
    """Those that are closer together than the farthest pair."""

    extreme = np.argmax
