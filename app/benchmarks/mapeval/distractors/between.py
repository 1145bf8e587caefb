"""The other places of a question which of them lies between two; each of the four is as often the key."""

import numpy as np

from app.benchmarks.mapeval.distractors.plane import Floats, Plane
from app.benchmarks.mapeval.distractors.told import tells_by_words
from app.core import seeds
from app.questions.alike import COMMON, SHARES_WORD
from app.questions.distractors import Others
from app.questions.strategies import Distractor, QuestionToFill, Sources, strategy

PAIRS = 3000
"""For so many pairs of a map's places it is tried which of the four places lies between them."""


@strategy("mapeval", "others_between")
class OthersBetween(Others):
    """The three other places. Those in the middle of a map lie between many: such questions are given up more often."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        picks = sources.choices["places"]
        plane = Plane(picks)
        points = plane.points_of(picks)
        self._points = {str(pick.value): points[number] for number, pick in enumerate(picks)}
        drawn = [
            [seeds.below(len(picks), sources.seed, "pairs", turn, end) for end in range(2)]
            for turn in range(PAIRS)
        ]
        ends = points[np.array(drawn, dtype=np.intp)]
        apart = np.hypot(*(ends[:, 0] - ends[:, 1]).T)
        far = apart >= sources.margins["least"]
        self._ends, self._apart = ends[far], apart[far]

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other places, whatever `count` is."""
        if tells_by_words(question):
            return SHARES_WORD
        (key,) = question.gold["objects"]
        others = [row["osm_key"] for row in question.rows if row["osm_key"] != key]
        keys = self._count_keys(np.array([self._points[one] for one in (key, *others)]))
        share = seeds.unit(self.sources.seed, "kept", question.id)
        return super().draw(question, count) if share * keys[0] < keys.min() else COMMON

    def _count_keys(self, places: Floats) -> Floats:
        """Between how many of the pairs each of the places lies, and no other."""
        ways = sum(
            np.hypot(*(self._ends[:, None, end, axis] - places[None, :, axis] for axis in range(2)))
            for end in range(2)
        )
        shares = np.asarray(ways) / self._apart[:, None]
        first, second = np.sort(shares, axis=1)[:, :2].T
        margins = self.sources.margins
        right = (first <= margins["longest"]) & (second >= margins["others"])
        return np.bincount(shares.argmin(axis=1)[right], minlength=places.shape[0]).astype(float)
